import { AIMessage, HumanMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { skills } from './billing-skills.ts';
import { toolTexts, turn } from './scripts.ts';
import { transcriptOfMessages } from '../src/messages/transcript-of-messages.ts';

const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

describe('a conversation whose messages were cut', () => {
  it.each([
    ['are not given twice where they stand there whole', 'Five, seven, five.', 'Skill "haiku" is already active and unchanged'],
    ['come whole where they had to be cut', `${'One more line of advice.\n'.repeat(400)}The end.`, 'The end.'],
  ])('ADP-6, DIS-13: instructions that were restored and are asked for again %s', async (_what, body, answer) => {
    const one = createSkillset({ skills: [defineSkill({ name: 'haiku', description: 'Writes haiku.', body })] });
    const load = turn(['load_skill', { name: 'haiku' }]);
    const model = scriptedModel([load, turn('Done.'), load, turn('Done.')]);
    const checkpointer = new MemorySaver();
    const agent = createAgent({ model, checkpointer, middleware: [skillsMiddleware(one, { restore: { perSkill: 200 } })] });
    const thread = { configurable: { thread_id: 'again' } };
    const { messages } = await agent.invoke(user('Go'), thread);
    await agent.graph.updateState(thread, { messages: messages.map(({ id }) => new RemoveMessage({ id: id ?? '' })) });
    const later = await agent.invoke(user('Later'), thread);
    expect(model.calls[2]?.messages.map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool']);
    expect(toolTexts(later.messages)).toEqual([expect.stringContaining(answer)]);
  });

  it('DIS-12: what was cut does not put off the refresh of what stayed', async () => {
    const repeating = createSkillset({ skills, conversation: { refresh: { afterTokens: 300 } } });
    const { messages: shownOf, loadSkillsNode } = langGraphSkills(repeating);
    const start = { loaded_skills: {}, loaded_tools: {}, _skill_session: null };
    const long = new HumanMessage('x'.repeat(8_000));
    const loaded = await loadSkillsNode(() => ['haiku'])({ ...start, messages: [long] });
    const state = {
      ...start,
      loaded_skills: loaded.loaded_skills ?? {},
      messages: [new HumanMessage('Summary.'), ...(loaded.messages ?? [])],
    };
    const shortly = [...state.messages, new HumanMessage('x'.repeat(400))];
    expect(await shownOf({ ...state, messages: shortly })).toEqual(shortly);
    const refreshed = await shownOf({ ...state, messages: [...state.messages, new HumanMessage('words '.repeat(400))] });
    expect(refreshed.at(-1)?.text).toContain('Five, seven, five.');
    expect(refreshed).toHaveLength(state.messages.length + 3);
  });

  it('ADP-6: a call counts with its input, as in the other adapter, and stands where the model made it', () => {
    const call = (id: string, args: Record<string, unknown>) =>
      new AIMessage({ content: 'ab', tool_calls: [{ id, name: 'load_skill', args }] });
    const result = (id: string) => new ToolMessage({ tool_call_id: id, content: 'x'.repeat(30) });
    const messages = [new HumanMessage('x'.repeat(40)), call('1', { name: 'a' }), result('1'), call('2', { name: 'a' }), result('2')];
    // 40 characters; then 2 of text, 12 of input and 30 of the result.
    expect(transcriptOfMessages(messages, (text) => text.length).map(({ at }) => at)).toEqual([40, 84]);
  });
});
