import { expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillState } from '@repertoire/skills-core';

const skills = ['a', 'b'].map((name) => ({ name, description: `Does ${name}.`, body: name, tools: [`t_${name}`] }));

it('GOV-4: where closed tools are hidden, open ones follow in the order of loading, behind those that never close', async () => {
  const session = await createSkillset({
    skills: [...skills, { name: 'c', description: 'Does c.', body: 'c', tools: ['t_c'], autoActivate: 'always' }],
    gatedTools: ['nobody_opens'],
    allowedTools: 'restrict',
  }).open();
  const names = ['t_a', 'nobody_opens', 't_b', 'free', 't_c'];
  const load = async (state: SkillState, name: string) => session.apply(state, (await session.load({ name }, { state })).events);

  expect(await session.visibleTools(names, emptySkillState)).toEqual(['free', 't_c']);
  const first = await load(emptySkillState, 'b');
  expect(await session.visibleTools(names, first)).toEqual(['free', 't_c', 't_b']);
  expect(await session.visibleTools(names, await load(first, 'a'))).toEqual(['free', 't_c', 't_b', 't_a']);
});
