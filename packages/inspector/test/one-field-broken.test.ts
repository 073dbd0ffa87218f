import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { brokenTable } from '../../../test/support/one-field-broken.ts';
import { readRecording } from '../src/recording/read-recording.ts';

const call = { id: 'c', name: 'load_skill', args: { name: 'changelog' } };
const result = '<skill_content name="changelog" revision="1">\nx\n</skill_content>';

/** A conversation in each format that programs write: a question, a load and an answer. */
const recordings: Readonly<Record<string, object>> = {
  'ai-sdk': [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'load_skill', input: call.args }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'load_skill', output: { type: 'text', value: result } }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ],
  'openai-agents': [
    { type: 'message', role: 'user', content: 'Hello' },
    { type: 'function_call', callId: 'c', name: 'load_skill', arguments: JSON.stringify(call.args) },
    { type: 'function_call_result', callId: 'c', name: 'load_skill', output: { type: 'text', text: result } },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  ],
  langgraph: JSON.parse(
    JSON.stringify([
      new HumanMessage('Hello'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ content: result, tool_call_id: 'c', name: 'load_skill' }),
      new AIMessage('Done.'),
    ]),
  ) as object,
};

it.each(Object.entries(recordings))(
  'AUT-3: a recording of %s in which one field is wrong is read as far as it goes, or refused',
  async (format, whole) => {
    const usual = new Set<string>();
    const told = (value: unknown) => {
      try {
        const { format: as, turns } = readRecording(JSON.stringify(value));
        const others = JSON.stringify(turns.filter((turn) => !usual.has(JSON.stringify(turn))));
        const code = `${as}, ${turns.length} turns: ${others.replaceAll(JSON.stringify(result), 'RESULT')}`;
        return [{ code, message: JSON.stringify(value) }];
      } catch (error) {
        return [{ code: (error as { code?: string }).code ?? String(error), message: JSON.stringify(whole) }];
      }
    };
    const { format: found, turns: all } = readRecording(JSON.stringify(whole));
    expect([found, all.length]).toEqual([format, 4]);
    for (const turn of all) usual.add(JSON.stringify(turn));
    await expect(await brokenTable(whole, told)).toMatchFileSnapshot(`broken/${format}.txt`);
  },
);
