import { expect, it } from 'vitest';
import { inCodeSkillProvider, isReachable, type SkillDefinition } from '@repertoire/skills-core';

it('CON-8: a listed skill can be asked for, unless it has no version beside versions of its name', async () => {
  const skill = (name: string, version?: string): SkillDefinition => ({
    name,
    description: 'Does something.',
    body: `${name} ${version}`,
    ...(version !== undefined && { version }),
  });
  const provider = inCodeSkillProvider([skill('a'), skill('b'), skill('b', '2.0.0'), skill('b', '1.0.0'), skill('c', '1.0.0'), skill('d')]);
  const listed = await provider.listSkills();
  const reached = listed.map((_skill, index) => isReachable(listed, index));
  const got = await Promise.all(listed.map(async ({ name, version }) => (await provider.getSkill(name, { version }))?.version === version));
  expect(reached).toEqual(got);
  expect(reached).toEqual([true, true, true, false, true, true]);
  expect(isReachable(listed, listed.length)).toBe(false);
});
