import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SkillMetadata } from '@repertoire/skills-core';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';
import { budgetCatalog } from '../../src/catalog/budget-catalog.ts';
import { catalogWriter } from '../../src/catalog/render-catalog.ts';
import { guidanceTexts } from '../../src/prompt/model-texts.ts';
import { entriesIn } from './entries-in.ts';

/** Collections of published skills, kept beside the repository and not in it. */
const corpus = join(import.meta.dirname, '../../../../../shared/corpus');

const guidance = guidanceTexts.plain(defaultSkillToolNames);
const writer = catalogWriter({ format: 'xml', guidance, names: defaultSkillToolNames, finders: [] });

describe('the budget over published skills', () => {
  beforeEach((context) => context.skip(!existsSync(corpus), 'the corpus of published skills is not beside the project (../shared/corpus)'));

  it('DIS-2: 600 of them stay useful within 8,000 tokens: every name, and a phrase for most', () => {
    const skills = readSkills().slice(0, 600);
    expect(skills).toHaveLength(600);
    const { text, dropped, nameOnly, tokens } = budgetCatalog(skills, { maxTokens: 8_000 }, writer);
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(dropped).toEqual([]);
    expect(nameOnly.length).toBeLessThan(150);
    const entries = entriesIn(text);
    expect(entries.map(({ name }) => name)).toEqual(skills.map(({ name }) => name));
    const described = entries.filter(({ description }) => description !== '').map(({ description }) => description.length);
    expect(described.reduce((sum, length) => sum + length, 0) / described.length).toBeGreaterThan(30);
  });

  it('DIS-2: 300 of them keep a sentence each within 8,000 tokens', () => {
    const { text, dropped, nameOnly } = budgetCatalog(readSkills().slice(0, 300), { maxTokens: 8_000 }, writer);
    expect([...dropped, ...nameOnly]).toEqual([]);
    const entries = entriesIn(text);
    expect(entries.reduce((sum, { description }) => sum + description.length, 0) / entries.length).toBeGreaterThan(80);
  });

  it('DIS-2: of 5,000, no more is counted than the budget has room for, a few times over', () => {
    const base = readSkills();
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...(base[index % base.length] as SkillMetadata),
      name: `skill-${index}`,
    }));
    for (const maxTokens of [8_000, 40_000, 80_000]) {
      let counted = 0;
      const countTokens = (text: string) => ((counted += text.length), Math.ceil(text.length / 4));
      const { text, tokens, dropped } = budgetCatalog(many, { maxTokens, countTokens }, writer);
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(entriesIn(text)).toHaveLength(5_000 - dropped.length);
      // Ten times the characters that fit, whatever the number of skills.
      expect(counted).toBeLessThanOrEqual(maxTokens * 4 * 10);
    }
  });
});

function readSkills(): SkillMetadata[] {
  const skills = new Map<string, SkillMetadata>();
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((file) => /(?:^|[\\/])SKILL\.md$/.test(file));
  for (const file of files.toSorted()) {
    const frontmatter = frontmatterOf(readFileSync(join(corpus, file), 'utf8'));
    const { name, description } = frontmatter;
    if (typeof name === 'string' && typeof description === 'string') skills.set(name, { name, description, version: null });
  }
  return [...skills.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function frontmatterOf(text: string): { name?: unknown; description?: unknown } {
  const yaml = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  try {
    return (parse(yaml) as object | null) ?? {};
  } catch {
    return {}; // Not every published file is YAML; reading those is the parser's test, not this one.
  }
}
