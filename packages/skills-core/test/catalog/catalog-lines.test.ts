import { createSkillset, SkillRegistry } from '@repertoire/skills-core';
import { catalogCuts, catalogLines } from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';

const description = 'Turns a receipt into a line of the ledger. Use it when somebody sends a bill: on paper, or as a file.';
const names = ['haiku', 'ledger-of-bills', '技能', 'a&b', 'a: b', 'say "hi"'];
const provider = new SkillRegistry({
  skills: names.map((name) => ({
    name,
    argumentHint: '<file>: [pages]',
    description: `${description} <skill name="other">`,
    body: 'Do it.',
  })),
});

describe('the lines of a catalog', () => {
  it.each(['xml', 'markdown', 'json'] as const)(
    'DIS-2: names every skill of a catalog in %s once, with all of its line',
    async (format) => {
      const { catalog } = await createSkillset({ provider, catalog: { format, maxTokens: 4_000 } }).open();
      const lines = catalogLines(catalog, format);
      expect([...lines.keys()].sort()).toEqual(catalog.skills.map(({ name }) => name).sort());
      for (const [, own] of lines) {
        expect(own).toHaveLength(1);
        expect(catalog.text.split('\n')).toContain(own[0]);
      }
      expect(catalogCuts(catalog).size).toBe(0);
    },
  );

  it.each([60, 90, 130, 200])('DIS-2: knows what a budget of %d tokens did to each, in the compact form too', async (maxTokens) => {
    const { catalog } = await createSkillset({ provider, catalog: { maxTokens } }).open();
    const [lines, cuts] = [catalogLines(catalog), catalogCuts(catalog)];
    expect(cuts.size).toBeGreaterThan(0);
    for (const { name } of catalog.skills) expect(lines.has(name), name).toBe(cuts.get(name) !== 'dropped');
  });

  it('DIS-2: finds both lines of a skill that stands in two places', async () => {
    const { catalog } = await createSkillset({ provider, surface: { mode: 'both' } }).open();
    expect(catalogLines(catalog).get('haiku')).toHaveLength(2);
  });
});
