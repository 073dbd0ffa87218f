import { describe, expect, it } from 'vitest';
import { maxCardCharacters, parseSkillCard } from '../../../skill-cards/src/parse-skill-card.ts';
import { createSkillset, emptySkillState, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { matchesAllowedTool } from '../../src/policy/allowed-tools/matches-allowed-tool.ts';
import { defaultMaxResourceCharacters } from '../../src/tools/resource-text.ts';
import type { ReadResourceOptions } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { resolveVersion } from '@repertoire/skills-core/versions';
import { stateAfter } from '../helpers/loaded-state.ts';
import { budgetCatalog } from '../../src/catalog/budget-catalog.ts';
import { defaultMaxCatalogTokens } from '../../src/catalog/catalog-budget.ts';
import { lostTexts } from '../../src/tools/activation/lost-texts.ts';

/**
 * The numbers that SECURITY.md and the pages below docs/ state. Who changes one here changes it
 * there.
 */
describe('the limits that are documented', () => {
  it('DIS-2: a catalog has 8,000 tokens', () => {
    expect(defaultMaxCatalogTokens).toBe(8_000);
  });

  it('DIS-2: a description keeps 40 characters before some skills lose theirs whole', () => {
    const skills = Array.from({ length: 30 }, (_, index) => ({ name: `skill-${index}`, description: 'x '.repeat(100), version: null }));
    const cuts = (minEntryCharacters?: number) =>
      Array.from({ length: 40 }, (_, step) => {
        const budget = { maxCharacters: 600 + step * 30, minEntryCharacters };
        const { shortened, nameOnly } = budgetCatalog(skills, budget, {
          line: ({ name }, summary) => `${name}: ${summary}`,
          whole: (lines) => lines.join('\n'),
        });
        return [shortened.length, nameOnly.length];
      });
    expect(cuts()).toEqual(cuts(40));
    expect(cuts()).not.toEqual(cuts(36));
    expect(cuts()).not.toEqual(cuts(44));
  });

  it('DIS-18: one answer shows 20,000 characters of a file, of which 4 MiB are fetched', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const code = fixedSkillProvider([{ name: 'a', description: 'A.', body: 'A.', resources: { 'long.md': line.repeat(300) } }]);
    const asked: (ReadResourceOptions | undefined)[] = [];
    const provider: SkillProvider = {
      ...code,
      readResource: (name, path, options) => (asked.push(options), code.readResource(name, path, options)),
    };
    const skillset = createSkillset({ provider });
    const [, read] = (await skillset.open()).tools;
    const text = (await read?.execute({ skill: 'a', path: 'long.md' }, { state: emptySkillState }))?.text;
    expect(text).toContain('lines="1-200 of 300"');
    expect(text?.match(/x/g)).toHaveLength(200 * 99);
    expect(asked.map((options) => options?.maxBytes)).toEqual([4 * 1024 * 1024]);
    expect(defaultMaxResourceCharacters).toBe(20_000);
  });

  it('DIS-18: a loaded skill lists 50 files, in 2000 characters', async () => {
    const listed = async (width: number) => {
      const paths = Array.from({ length: 60 }, (_, index) => `${String(index).padStart(width, '0')}.md`);
      const resources = Object.fromEntries(paths.map((path) => [path, '']));
      const skillset = createSkillset({ skills: [{ name: 'a', description: 'A.', body: 'A.', resources }] });
      const { text } = await (await skillset.open()).load({ name: 'a' }, { state: emptySkillState });
      return text.split('\n').filter((line) => /^\d+\.md$/.test(line));
    };
    expect(await listed(2)).toHaveLength(50);
    const long = (await listed(97)).join('\n');
    expect(long.length).toBeLessThanOrEqual(2_000);
    expect(long.length).toBeGreaterThan(1_800);
  });

  it('DIS-13: after a compaction 25,000 tokens come back, 5,000 for one skill', async () => {
    const body = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join('\n');
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const skillset = createSkillset({
      skills: names.map((name) => ({ name, description: `${name}.`, body })),
      countTokens: (text) => text.length,
    });
    const loaded = await stateAfter(await skillset.open(), ...names);
    const { skills, omitted } = await lostTexts((await skillset.open()).inside, reduceSkillState(loaded, { type: 'compacted' }));
    const lengths = skills.map(({ text }) => text.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(5_000);
    expect(Math.max(...lengths)).toBeGreaterThan(4_900);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(25_000);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(24_500);
    expect(omitted).not.toEqual([]);
  });

  it('CON-8: a range has 256 characters', () => {
    const range = (length: number) => `>${'1.2.3'.padStart(length - 1)}`;
    expect(resolveVersion(['1.2.4'], range(256))).toBe('1.2.4');
    expect(() => resolveVersion(['1.2.4'], range(257))).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('GOV-2: a command of more than 100,000 characters fits no pattern with a star', () => {
    const fits = (length: number) => matchesAllowedTool('Bash(git:*)', { tool: 'Bash', input: { command: 'git '.padEnd(length, 'x') } });
    expect([fits(100_000), fits(100_001)]).toEqual([true, false]);
  });

  it('FMT-4: a card has 1,048,576 characters', () => {
    const codes = (length: number) => parseSkillCard('{}'.padEnd(length)).diagnostics.map(({ code }) => code);
    expect(maxCardCharacters).toBe(1_048_576);
    expect(codes(1_048_576)).not.toContain('card-too-large');
    expect(codes(1_048_577)).toContain('card-too-large');
  });

  it('FMT-3: of a SKILL.md, 2 MiB are parsed', () => {
    const codes = (length: number) =>
      parseSkillMd('---\nname: a\ndescription: A.\n---\n'.padEnd(length, 'x')).diagnostics.map(({ code }) => code);
    expect(codes(2 * 1024 * 1024)).toEqual([]);
    expect(codes(2 * 1024 * 1024 + 1)).toEqual(['file-too-large']);
  });

  it('FMT-3: of a SKILL.md, 16 KiB of front matter are read', () => {
    const codes = (length: number) => {
      const head = 'name: a\ndescription: A.\nx: ';
      return parseSkillMd(`---\n${head}${'x'.repeat(length - head.length)}\n---\n`).diagnostics.map(({ code }) => code);
    };
    const [largest] = [16 * 1024, 16 * 1024 - 1].filter((length) => !codes(length).includes('frontmatter-too-large'));
    expect(largest).toBeGreaterThanOrEqual(16 * 1024 - 8);
    expect(codes(16 * 1024 + 1)).toContain('frontmatter-too-large');
  });
});
