import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SkillMetadata } from '@repertoire/skills-core';
import { defaultSkillToolNames } from '@repertoire/skills-core/policy';
import { budgetCatalog, type CatalogRenderer } from '../../../src/catalog/budget-catalog.ts';
import { renderCompactSkillList } from '../../../src/catalog/budget-compact.ts';
import { unlistedSkillsText } from '../../../src/prompt/model-texts.ts';
import { renderCatalog } from '../../../src/catalog/render-catalog.ts';
import { guidanceTexts } from '../../../src/prompt/model-texts.ts';

/** Collections of published skills, kept beside the repository and not in it. */
const corpus = join(import.meta.dirname, '../../../../../shared/corpus');

const render: CatalogRenderer = (entries, { compact, unlisted }) => {
  const guidance = guidanceTexts.plain(defaultSkillToolNames);
  const list = compact ? `${guidance}\n\n${renderCompactSkillList(entries)}` : renderCatalog(entries, defaultSkillToolNames);
  return unlisted === 0 ? list : `${list}\n\n${unlistedSkillsText(unlisted, defaultSkillToolNames)}`;
};

describe('the budget over published skills', () => {
  beforeEach((context) => context.skip(!existsSync(corpus), 'the corpus of published skills is not beside the project (../shared/corpus)'));

  it('DIS-2: 600 of them stay useful within 8,000 tokens: every name, and a phrase for most', () => {
    const skills = readSkills().slice(0, 600);
    expect(skills).toHaveLength(600);
    const { entries, dropped, nameOnly, tokens } = budgetCatalog(skills, { maxTokens: 8_000 }, render);
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(dropped).toEqual([]);
    expect(nameOnly.length).toBeLessThan(150);
    const described = entries.filter(({ description }) => description !== '').map(({ description }) => description.length);
    expect(described.reduce((sum, length) => sum + length, 0) / described.length).toBeGreaterThan(30);
  });

  it('DIS-2: 300 of them keep a sentence each within 8,000 tokens', () => {
    const { entries, dropped, nameOnly } = budgetCatalog(readSkills().slice(0, 300), { maxTokens: 8_000 }, render);
    expect([...dropped, ...nameOnly]).toEqual([]);
    expect(entries.reduce((sum, { description }) => sum + description.length, 0) / entries.length).toBeGreaterThan(80);
  });

  it('DIS-2: 5,000 take no more than a few renderings, whatever the budget', () => {
    const base = readSkills();
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...(base[index % base.length] as SkillMetadata),
      name: `skill-${index}`,
    }));
    for (const maxTokens of [8_000, 40_000, 80_000]) {
      let renderings = 0;
      const result = budgetCatalog(many, { maxTokens }, (entries, cut) => {
        renderings += 1;
        return render(entries, cut);
      });
      expect(result.tokens).toBeLessThanOrEqual(maxTokens);
      expect(result.entries.length + result.dropped.length).toBe(5_000);
      expect(renderings).toBeLessThanOrEqual(18);
    }
  });
});

function readSkills(): SkillMetadata[] {
  const skills = new Map<string, SkillMetadata>();
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((file) => /(?:^|[\\/])SKILL\.md$/.test(file));
  for (const file of files.toSorted()) {
    const frontmatter = frontmatterOf(readFileSync(join(corpus, file), 'utf8'));
    const { name, description } = frontmatter;
    if (typeof name === 'string' && typeof description === 'string') skills.set(name, { name, description });
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
