import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createSkillset } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { expect, it } from 'vitest';
import { skills } from './billing-skills.ts';
import { turn } from './scripts.ts';

it.each([
  ['the unload first', [['unload_skill', { name: 'billing' }] as const, ['load_skill', { name: 'orders' }] as const]],
  ['the load first', [['load_skill', { name: 'orders' }] as const, ['unload_skill', { name: 'billing' }] as const]],
])('ADP-6: a load beside an unload does not bring the unloaded skill back, %s', async (_order, calls) => {
  const model = scriptedModel([turn(['load_skill', { name: 'billing' }]), turn(...calls), turn('Done.')]);
  const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [skillsMiddleware(createSkillset({ skills }))] });
  const state = await agent.invoke({ messages: [new HumanMessage('Go')] }, { configurable: { thread_id: 'one' } });
  const loaded = Object.fromEntries(Object.entries(state.loaded_skills ?? {}).filter(([, entry]) => entry !== null));
  expect(loadedSkillNames({ loaded } as never)).toEqual(['orders']);
});
