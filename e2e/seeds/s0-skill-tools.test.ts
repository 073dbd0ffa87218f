import { ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createSkillTools, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { SkillRegistry, type SkillDiagnostic } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { converse } from './converse.ts';

it('S0-20 DIS-7: the version is honored or refused, by each tool that takes it', async () => {
  const registry = new SkillRegistry();
  for (const version of ['1.0.0', '2.0.0']) {
    const resources = { 'references/a.md': `reference ${version}`, 'assets/b.txt': `asset ${version}` };
    registry.register({ name: 'weather', version, description: 'W', body: `body ${version}`, resources, tools: ['get_weather'] });
  }
  const { call } = await converse({ provider: registry, surface: { tools: 'full', names: 'cards' } });
  const inputs = { load_skill_resource: { resource_path: 'references/a.md' }, load_skill_asset: { asset_path: 'assets/b.txt' } };
  const ask = async (version: string) => {
    const found = [];
    for (const [name, input] of Object.entries(inputs)) found.push((await call(name, { skill_id: 'weather', version, ...input })).text);
    for (const name of ['list_skill_resources', 'list_skill_assets']) found.push((await call(name, { skill_id: 'weather', version })).text);
    return found;
  };
  // Nothing is loaded: the version that is asked for.
  expect((await ask('1.0.0')).slice(0, 2), 'S0-20').toEqual([
    expect.stringContaining('reference 1.0.0'),
    expect.stringContaining('asset 1.0.0'),
  ]);
  for (const text of await ask('9.0.0')) expect(text, 'S0-20').toContain('has no version "9.0.0". It has: 2.0.0, 1.0.0');
  // Another version than the loaded one is refused.
  await call('load_skill_md', { skill_id: 'weather', version: '1.0.0' });
  for (const text of await ask('2.0.0')) expect(text, 'S0-20').toContain('is loaded in version "1.0.0", not "2.0.0"');
  const kept = await call('unload_skill', { skill_id: 'weather', version: '2.0.0' });
  expect([kept.events, kept.error?.code], 'S0-20').toEqual([[], 'invalid-input']);
  expect((await call('unload_skill', { skill_id: 'weather', version: '1.0.0' })).events, 'S0-20').toHaveLength(1);
});

it('S0-28 ADP-3: in a graph without the channels of skills, a load says that nothing remembers it; with them, the tools open', async () => {
  const weather = tool(async () => 'cold', { name: 'get_weather', description: 'W', schema: z.object({}) });
  const call = (toolName: string, input: unknown = {}) => ({ toolCalls: [{ toolName, input }] });
  const run = async (fields: Partial<typeof skillsState>) => {
    const told: SkillDiagnostic[] = [];
    const tools = createSkillTools({
      skillRegistry: new SkillRegistry({ skills: [{ name: 'weather', description: 'W', body: 'Do it.', tools: ['get_weather'] }] }),
      toolRegistry: [weather],
      surface: { names: 'cards' },
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    const model = scriptedModel([call('load_skill_md', { skill_id: 'weather' }), call('get_weather'), { text: 'Done.' }]);
    const bound = model.bindTools(tools);
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...fields }))
      .addNode('model', async ({ messages }: { messages: BaseMessage[] }) => ({ messages: [await bound.invoke(messages)] }))
      .addNode('tools', new ToolNode(tools))
      .addEdge(START, 'model')
      .addConditionalEdges('model', toolsCondition, ['tools', END])
      .addEdge('tools', 'model')
      .compile();
    const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'Go' }] });
    const answer = messages.findLast((message) => ToolMessage.isInstance(message))?.text;
    return { answer, codes: told.map(({ code }) => code), fix: told[0]?.fix };
  };
  const without = await run({});
  expect([without.codes, without.answer], 'S0-28').toEqual([['state-not-saved'], expect.stringContaining('locked')]);
  expect(without.fix, 'S0-28').toContain('...skillsState');
  expect(await run(skillsState), 'S0-28').toEqual({ answer: 'cold', codes: [], fix: undefined });
});
