import { existsSync } from 'node:fs';
import path from 'node:path';
import { createSkillSearch } from '@repertoire/skill-search';
import { alikeSkills, rankSkills } from '@repertoire/skill-search/analysis';
import { beforeEach, describe, expect, it } from 'vitest';
import { libraryProvider } from '../src/search/grow-library.ts';
import { readSearchCorpus } from '../src/search/search-corpus.ts';

const root = path.resolve(import.meta.dirname, '../../../shared/corpus');
const here = existsSync(root);

describe('DIS-14: prompts that people wrote, over skills as their authors published them', { timeout: 120_000 }, () => {
  beforeEach((context) => context.skip(!here, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  it('finds the skill that a prompt is for, first or among five, and says why', async () => {
    const { skills, prompts } = readSearchCorpus(root);
    expect(prompts.length).toBeGreaterThan(370);
    const search = createSkillSearch(
      libraryProvider(skills.map(({ metadata, body }) => ({ ...metadata, body, resources: [], diagnostics: [] }))),
    );
    const ranks: number[] = [];
    for (const { prompt, skill } of prompts) {
      const { candidates } = await search.search(prompt, { audience: 'host' });
      ranks.push(candidates.findIndex(({ name }) => name === skill));
      for (const { matches } of candidates) expect(matches).not.toEqual([]);
    }
    const share = (most: number): number => ranks.filter((rank) => rank >= 0 && rank < most).length / prompts.length;
    expect(share(1)).toBeGreaterThan(0.68);
    expect(share(5)).toBeGreaterThan(0.93);
  });

  it('analysis ranks alike, and finds what competes for the same requests', async () => {
    const { skills, prompts } = readSearchCorpus(root);
    const analyzed = skills.map(({ metadata, body }) => ({ ...metadata, body }));
    const { firstShare, amongShare } = await (await rankSkills(analyzed)).route(prompts);
    expect(firstShare).toBeGreaterThan(0.68);
    expect(amongShare).toBeGreaterThan(0.93);
    const [first, ...others] = await alikeSkills(analyzed);
    expect(first?.skills.map((name) => name.replace(/dotnet|python/, '*'))).toEqual([
      'observability-edot-*-instrument',
      'observability-edot-*-instrument',
    ]);
    expect(others.length).toBeGreaterThan(10);
  });
});
