import { createSkillset, defineSkill, emptySkillState } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

const library = [
  defineSkill({
    name: 'orders',
    description: 'Orders.',
    body: 'See [fees](../billing/references/fees.md).',
    resources: { 'references/own.md': 'own' },
  }),
  defineSkill({ name: 'billing', description: 'Money.', body: 'Bill.', resources: { 'references/fees.md': 'fees' } }),
  defineSkill({ name: 'secret', description: 'For people.', body: 'S', disableModelInvocation: true }),
];
const context = { state: emptySkillState };
const open = async () => {
  const { tools } = await createSkillset({ skills: library }).open();
  const [load, read] = [tools.find(({ role }) => role === 'load')!, tools.find(({ role }) => role === 'readFile')!];
  return {
    read: async (path: string) => await read.execute({ skill: 'orders', path }, context),
    load: async (name: string) => (await load.execute({ name }, context)).text,
  };
};

describe('links between skills', () => {
  it.each([
    ['../billing/SKILL.md', 'Call load_skill with "billing"'],
    ['../billing', 'Call load_skill with "billing"'],
    ['../../skills/billing/', 'Call load_skill with "billing"'],
    ['skills/billing/SKILL.md#fees', 'Call load_skill with "billing"'],
    ['../billing/references/fees.md', 'read_skill_file with skill "billing" and path "references/fees.md"'],
  ])('DIS-4: %s is answered with the skill and how to load it', async (path, next) => {
    const { text, error } = await (await open()).read(path);
    expect(error?.code).toBe('resource-not-found');
    expect(text).toContain(next);
    expect(text).not.toContain('climbs');
  });

  it.each(['../unknown/SKILL.md', '../../etc/passwd', '/etc/passwd', '../secret/SKILL.md'])(
    'DIS-4: %s names no skill that may be loaded',
    async (path) => {
      const { text, error } = await (await open()).read(path);
      expect(error?.code).toBe('invalid-path');
      expect(text).not.toContain('load_skill');
    },
  );

  it('DIS-3: load_skill takes such a path', async () => {
    const { load, read } = await open();
    for (const name of ['../billing/SKILL.md', 'skills/billing', './billing/']) expect(await load(name)).toContain('Bill.');
    expect(await load('../secret/SKILL.md')).toContain('There is no skill');
    expect((await read('references/own.md')).text).toContain('own');
  });
});

it('DIS-3: a loaded skill says what it needs, and that it has no instructions', async () => {
  const skills = [defineSkill({ name: 'empty', description: 'Nothing.', body: '', compatibility: 'git and\nNode.js' })];
  const { load } = await createSkillset({ skills }).open();
  const { text } = await load({ name: 'empty' }, context);
  expect(text).toContain(
    '>\nThis skill has no instructions of its own: its SKILL.md ends behind the frontmatter.\n\nIt says that it needs: git and Node.js\n<',
  );
});
