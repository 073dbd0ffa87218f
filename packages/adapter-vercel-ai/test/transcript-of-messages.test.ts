import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  toUIMessageStream,
  readUIMessageStream,
  streamText,
  type ModelMessage,
  type ToolResultPart,
  type UIMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkSkills, transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
import { skills as definitions } from './billing-skills.ts';
import { modelOf } from './model-of.ts';

const skillset = createSkillset({ skills: definitions });
const body = '<skill_content name="billing">\nbody\n</skill_content>';

function conversation(output: ToolResultPart['output'], { callId = 'c', resultId = 'c', calledTool = 'load_skill' } = {}): ModelMessage[] {
  return [
    { role: 'user', content: 'Money!' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'One moment.' },
        { type: 'tool-call', toolCallId: callId, toolName: calledTool, input: { name: 'billing' } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: resultId, toolName: 'load_skill', output }] },
  ];
}

describe('transcriptOfMessages', () => {
  it('ADP-4: pairs calls with results, in each form in which the SDK may keep a text', () => {
    const entry = { tool: 'load_skill', input: { name: 'billing' }, output: body };
    const twice = (text: string) => text.length * 2;
    expect(transcriptOfMessages(conversation({ type: 'text', value: body }), twice)).toEqual([{ ...entry, at: 2 * 'Money!'.length }]);
    expect(transcriptOfMessages(conversation({ type: 'text', value: body }))).toEqual([entry]);
    expect(transcriptOfMessages(conversation({ type: 'json', value: body }))).toEqual([entry]);
    expect(transcriptOfMessages(conversation({ type: 'content', value: [{ type: 'text', text: body }] }))).toEqual([entry]);
    expect(transcriptOfMessages(conversation({ type: 'json', value: { ok: true } }))).toEqual([{ ...entry, output: '{"ok":true}' }]);
  });

  it.each<ToolResultPart['output']>([
    { type: 'error-text', value: body },
    { type: 'error-json', value: body },
    { type: 'execution-denied', reason: body },
  ])('ADP-4: a call that failed or was denied loads nothing: $type', (output) => {
    expect(transcriptOfMessages(conversation(output))).toEqual([]);
  });

  it('ADP-4: a result without its call proves nothing, nor does one of another tool', () => {
    const output = { type: 'text', value: body } as const;
    expect(transcriptOfMessages(conversation(output, { resultId: 'other' }))).toEqual([]);
    expect(transcriptOfMessages(conversation(output, { calledTool: 'search_docs' }))).toEqual([]);
    expect(transcriptOfMessages(conversation(output).slice(0, 2))).toEqual([]);
  });

  it('ADP-4: ids that are used again in a later turn belong to the later call', () => {
    const [, , result] = conversation({ type: 'text', value: body });
    const twice = [...conversation({ type: 'text', value: body }), ...conversation({ type: 'error-text', value: 'no' })];
    expect(transcriptOfMessages(twice)).toHaveLength(1);
    // The second result of one call is nobody's.
    expect(transcriptOfMessages([...conversation({ type: 'text', value: body }), result!])).toHaveLength(1);
  });
});

describe('state', () => {
  it('ADP-4: survives the way through a user interface, with the tools at hand or without', async () => {
    const skills = await aiSdkSkills(skillset);
    const result = streamText({
      model: modelOf([[['load_skill', { name: 'billing' }]], 'Done.']),
      prompt: 'Money!',
      stopWhen: isStepCount(5),
      tools: skills.tools,
    });
    let shown: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream: result.stream }) })) shown = message;
    const kept = JSON.parse(JSON.stringify([shown])) as UIMessage[];
    for (const options of [{ tools: skills.tools }, {}]) {
      const messages = await convertToModelMessages(kept, options);
      expect(skills.state(messages)).toEqual(skills.state(await result.responseMessages));
      expect(loadedSkillNames(skills.state(messages))).toEqual(['billing']);
    }
  });

  it('ADP-4: a load that a person approved counts, although no step shows it; a denied one does not', async () => {
    const skills = await aiSdkSkills(skillset);
    const toolApproval = () => 'user-approval' as const;
    const asked = await generateText({
      model: modelOf([[['load_skill', { name: 'billing' }]]]),
      prompt: 'Money!',
      tools: skills.tools,
      toolApproval,
    });
    const request = asked.content.find((part) => part.type === 'tool-approval-request');
    const answerWith = async (approved: boolean) => {
      const messages: ModelMessage[] = [
        { role: 'user', content: 'Money!' },
        ...asked.responseMessages,
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: request!.approvalId, approved }] },
      ];
      const { responseMessages } = await generateText({ model: modelOf(['Done.']), messages, tools: skills.tools, toolApproval });
      return skills.state([...messages, ...responseMessages]);
    };
    expect(loadedSkillNames(await answerWith(true))).toEqual(['billing']);
    expect(await answerWith(false)).toEqual(emptySkillState);
  });
});
