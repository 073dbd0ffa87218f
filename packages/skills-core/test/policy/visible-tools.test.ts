import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillState, skillAllowedTools } from '@repertoire/skills-core';
import { arrangeTools } from '@repertoire/skills-core/adapter';

const skills = ['a', 'b'].map((name) => ({ name, description: `Does ${name}.`, body: name, tools: [`t_${name}`] }));

it('GOV-4: where closed tools are hidden, open ones follow in the order of loading, behind those that never close', async () => {
  const session = await createSkillset({
    skills: [...skills, { name: 'c', description: 'Does c.', body: 'c', tools: ['t_c'], autoActivate: 'always' }],
    gates: { tools: ['nobody_opens'] },
    allowedTools: skillAllowedTools({ policy: 'restrict' }),
  }).open();
  const names = ['t_a', 'nobody_opens', 't_b', 'free', 't_c'];
  const load = async (state: SkillState, name: string) => session.apply(state, (await session.load({ name }, { state })).events);

  expect(await session.visibleTools(names, emptySkillState)).toEqual(['free', 't_c']);
  const first = await load(emptySkillState, 'b');
  expect(await session.visibleTools(names, first)).toEqual(['free', 't_c', 't_b']);
  expect(await session.visibleTools(names, await load(first, 'a'))).toEqual(['free', 't_c', 't_b', 't_a']);
});

it('GOV-3: asks the permissions once for each skill that opens a tool, and not for others; skill tools need none', async () => {
  const asked: string[] = [];
  const always = { name: 'c', description: 'Does c.', body: 'c', tools: ['t_c', 't_a'], autoActivate: 'always' as const };
  const session = await createSkillset({
    skills: [...skills, always],
    gates: { tools: ['load_*'] },
    audience: {
      permissions: ({ action, skill }) => {
        if (action === 'load') asked.push(skill.name);
        return action === 'list' || skill.name !== 'c';
      },
    },
  }).open();
  const state = session.apply(emptySkillState, (await session.load({ name: 'a' }, { state: emptySkillState })).events);
  asked.length = 0;
  expect(await session.visibleTools(['t_c', 't_a', 't_b', 'free', 'load_skill'], state)).toEqual(['free', 'load_skill', 't_a']);
  expect(asked.toSorted()).toEqual(['a', 'c']);
});

describe('arrangeTools', () => {
  const toolsOf = (...names: readonly string[]) => names.map((name) => ({ name }));
  const arrange = async (hideClosed: boolean, loaded: readonly string[] = []) => {
    const session = await createSkillset({ skills, audience: { tools: (tool) => tool !== 'hidden' } }).open();
    let state: SkillState = emptySkillState;
    for (const name of loaded) state = session.apply(state, (await session.load({ name }, { state })).events);
    const tools = toolsOf('load_skill', 'unload_skill', 'run_skill_script', 't_a', 'free', 'hidden', 't_b');
    const toolsOfSkills = new Map(loaded.map((name) => [name, toolsOf(`${name}_own`, 'hidden')]));
    const skillTools = ['load_skill', 'unload_skill', 'run_skill_script'];
    const shown = await arrangeTools({ session, state, tools, toolsOfSkills, hideClosed, skillTools, nameOf: ({ name }) => name });
    return shown.map(({ name }) => name);
  };

  it('GOV-4: keeps the order of tools that never change, and puts those that skills toolsOfSkills behind them', async () => {
    expect(await arrange(false)).toEqual(['load_skill', 'unload_skill', 't_a', 'free', 't_b']);
    expect(await arrange(false, ['b', 'a'])).toEqual(['load_skill', 'unload_skill', 't_a', 'free', 't_b', 'b_own', 'a_own']);
  });

  it('GOV-4: where closed tools are hidden, what a load opens only appends', async () => {
    expect(await arrange(true)).toEqual(['load_skill', 'unload_skill', 'free']);
    expect(await arrange(true, ['b'])).toEqual(['load_skill', 'unload_skill', 'free', 't_b', 'b_own']);
    expect(await arrange(true, ['b', 'a'])).toEqual(['load_skill', 'unload_skill', 'free', 't_b', 'b_own', 't_a', 'a_own']);
  });
});
