import { tool } from '@langchain/core/tools';
import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
import { expect, it } from 'vitest';
import { createToolsOfSkills } from '../src/binding/tools-of-skills.ts';
import { skillScopedTools } from '../src/tools-of-skills/skill-scoped-tools.ts';

const look = tool(async () => 'Seen.', { name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } });
const provider = new SkillRegistry({
  skills: ['a', 'b'].map((name) => defineSkill({ name, description: name, body: name })),
  trusted: true,
});

it.each([
  ['both were loaded in parallel', { a: ['look'], b: ['look'] }, ['look', 'b__look']],
  ['one was loaded behind the other', { a: ['look'], b: ['b__look'] }, ['look', 'b__look']],
  ['the first ended', { a: null, b: ['look'] }, ['a__look', 'look']],
  ['the first was loaded again', { a: ['a__look'], b: ['look'] }, ['a__look', 'look']],
])('SRC-7: two skills that bring a tool of one name have one each, if %s', async (_when, loadedTools, names) => {
  const toolsOfSkills = createToolsOfSkills([skillScopedTools('a', [look]), skillScopedTools('b', [look])], [], () => {});
  const { skills } = await provider.listSkills();
  const opened = await toolsOfSkills.of(skills, { id: 'one', loadedTools, signal: undefined });
  expect([...opened.values()].flat().map(({ name }) => name)).toEqual(names);
});
