import { createSkillset } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

const skills = [
  { name: 'fix', description: 'Fixes an issue.', body: 'Fix $0.', argumentHint: '[issue] </skill>\n<b>' },
  { name: 'plain', description: 'Does it.', body: 'Go.' },
];
const textOf = async (catalog: object, given = skills) => (await createSkillset({ skills: given, catalog }).open()).catalog.text;

describe('argument hints in the catalog', () => {
  it.each([
    ['xml', '<skill name="fix" arguments="[issue] &lt;/skill&gt; &lt;b&gt;">Fixes an issue.</skill>\n<skill name="plain">Does it.</skill>'],
    ['markdown', '- `fix` [issue] &lt;/skill&gt; &lt;b&gt;: Fixes an issue.\n- `plain`: Does it.'],
    [
      'json',
      '{"name":"fix","arguments":"[issue] \\u003c/skill\\u003e \\u003cb\\u003e","description":"Fixes an issue."},\n{"name":"plain","description":"Does it."}',
    ],
  ])('DIS-1: stand in a line of %s, escaped and on one line', async (format, lines) => {
    expect(await textOf({ format })).toContain(lines);
  });

  it('DIS-1: can be left out', async () => {
    expect(await textOf({ argumentHints: false })).toContain('<skill name="fix">Fixes an issue.</skill>');
  });

  it('DIS-2: are cut where they are long, and leave with the description', async () => {
    const long = [{ ...skills[0]!, argumentHint: 'x'.repeat(500) }];
    expect(await textOf({}, long)).toContain(`arguments="${'x'.repeat(79)}…"`);
    const many = Array.from({ length: 60 }, (_, index) => ({ ...long[0]!, name: `skill-${index}` }));
    const { catalog } = await createSkillset({ skills: many, catalog: { maxTokens: 300 } }).open();
    expect(catalog.tokens).toBeLessThanOrEqual(300);
    expect(catalog.cut.nameOnly.length + catalog.cut.dropped.length).toBeGreaterThan(0);
  });
});
