import { createSkillset, emptySkillState, type SkillEvent, type SkillState } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { loadedSkillNames, reduceSkillState } from '@repertoire/skills-core/adapter';
import { generateText, isStepCount } from 'ai';
import { expect, it } from 'vitest';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { modelOf } from './model-of.ts';

const names = ['alpha', 'beta', 'gamma'];

/** Loads three skills at once, from a source that answers in this order, and gives the state that the server keeps. */
async function loadAtOnce(order: readonly string[]): Promise<SkillState> {
  const provider = fixedSkillProvider(names.map((name) => ({ name, description: `${name}.`, body: name })));
  const answered = new Map<string, () => void>();
  const isAnswered = new Map(names.map((name) => [name, new Promise<void>((resolve) => void answered.set(name, resolve))]));
  const state = { current: emptySkillState };
  const skillset = createSkillset({
    provider: {
      ...provider,
      getSkill: async (name, options) => {
        await isAnswered.get(order[order.indexOf(name) - 1] ?? '');
        return await provider.getSkill(name, options);
      },
    },
    onEvent: (activity) => activity.type === 'skill_loaded' && answered.get(activity.skill)?.(),
  });
  const skills = await aiSdkSkills(skillset, { state });
  const model = modelOf([names.map((name) => ['load_skill', { name }] as const), 'Done.']);
  await generateText({ model, prompt: 'Go', stopWhen: isStepCount(5), ...skills.agentSettings() });
  return state.current;
}

it('ADP-6, CON-7: skills that are loaded at once are in the same state whichever answer comes first', async () => {
  const state = await loadAtOnce(names);
  expect(Object.keys(state.loaded).toSorted()).toEqual(names);
  expect(await loadAtOnce(names.toReversed())).toEqual(state);
});

it('ADP-6, GOV-11: two requests at once that append what changed lose no load, and bring back nothing that was unloaded', async () => {
  // What names a tool can be unloaded.
  const skillset = createSkillset({ skills: names.map((name) => ({ name, description: `${name}.`, body: name, tools: ['pay'] })) });
  const log: SkillEvent[] = [];
  const request = async (...calls: readonly (readonly [string, object])[]): Promise<void> => {
    const current = log.reduce((state, event) => reduceSkillState(state, event), emptySkillState);
    const skills = await aiSdkSkills(skillset, { state: { current, append: (events) => void log.push(...events) } });
    await generateText({ model: modelOf([calls, 'Done.']), prompt: 'Go', stopWhen: isStepCount(3), ...skills.agentSettings() });
  };
  await request(['load_skill', { name: 'alpha' }]);
  // Both begin with what the first one left.
  await Promise.all([
    request(['load_skill', { name: 'beta' }]),
    request(['unload_skill', { name: 'alpha' }], ['load_skill', { name: 'gamma' }]),
  ]);
  const after = log.reduce((state, event) => reduceSkillState(state, event), emptySkillState);
  expect(loadedSkillNames(after).toSorted()).toEqual(['beta', 'gamma']);
});
