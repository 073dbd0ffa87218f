import assert from 'node:assert/strict';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { loadAgentFile } from '@repertoire/declarative/node';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import host from './host.ts';

const callsTheTool = { toolCalls: [{ toolName: 'get_weather', input: { city: 'Oslo' } }] };
const answers = { text: 'It is -3 °C in Oslo.' };

/** The scripted answers for each file. */
const scripts = {
  discover: [
    { toolCalls: [{ toolName: 'load_skill_md', input: { name: 'weather' } }] },
    { text: 'I use the weather skill.' },
    callsTheTool,
    answers,
  ],
  plan: [{ toolCalls: [{ toolName: 'SelectedSkills', input: { skills: [{ id: 'weather' }] } }] }, callsTheTool, answers],
};

/**
 * Runs both files: with the given model, or offline with a scripted one, and then checks what the
 * model received.
 */
export async function runAgents(tell: (line: string) => void, model?: BaseChatModel): Promise<void> {
  for (const name of ['discover', 'plan'] as const) {
    const scripted = scriptedModel(scripts[name]);
    const graph = await loadAgentFile(new URL(`../agents/${name}.agent.yaml`, import.meta.url), {
      ...host,
      models: () => model ?? scripted,
    });
    const { messages, loaded_tools: tools } = await graph.invoke({ messages: [{ role: 'user', content: 'How cold is it in Oslo?' }] });
    tell(`${name}:`);
    for (const message of messages) tell(`  ${message.type}: ${message.text.split('\n', 1)[0] ?? ''}`);
    if (model !== undefined) continue;
    assert.deepEqual(tools, { weather: ['get_weather'] });
    assert.equal(messages.at(-1)?.text, answers.text);
    // The tool is available from the call after its skill was loaded, and not before.
    const bound = scripted.calls.map(({ toolNames }) => toolNames.join(' '));
    const expected = {
      discover: ['load_skill_md unload_skill', 'load_skill_md unload_skill', 'get_weather', 'get_weather'],
      plan: ['SelectedSkills', 'get_weather', 'get_weather'],
    };
    assert.deepEqual(bound, expected[name]);
  }
}
