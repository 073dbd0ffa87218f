import { createSkillSearch } from '@repertoire/skill-search';
import { SkillRegistry } from '@repertoire/skills-core';
import type { SkillSearchAnswer } from '@repertoire/skills-core/provider';
import { publishSkillsToStorage, r2SkillStore } from '@repertoire/skill-storage';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';

const fillers = Array.from({ length: 300 }, (_, index) => ({
  name: `filler-${index}`,
  description: `Handles case ${index}.`,
  body: `Steps of case ${index}.`,
}));
const library = new SkillRegistry({
  skills: [
    { name: 'pricing', description: 'Decides prices and plans.', body: '# Tiers\n\nThree plans, no more.' },
    { name: 'recover', description: '恢复被删除的文件', body: 'Look into the trash first.' },
    ...fillers,
  ],
});

describe('DIS-14: search in workerd without nodejs_compat', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const code = await bundleTestWorker(`export { default } from './workers/skill-search-worker.ts';`);
    runtime = openWorkerd(code);
    await publishSkillsToStorage(r2SkillStore(await runtime.getR2Bucket('BUCKET')), library);
  });
  afterAll(() => runtime.dispose());
  const get = async (path: string, init?: { signal: AbortSignal }) => await runtime.dispatchFetch(`http://localhost${path}`, init);
  const find = async (query: string) => (await (await get(`/search?q=${encodeURIComponent(query)}`)).json()) as SkillSearchAnswer;

  it('serves one search to many requests, some of which are given up while it indexes', async () => {
    const controller = new AbortController();
    const given = Array.from({ length: 4 }, () =>
      get('/search?q=tiers', { signal: controller.signal }).then(
        () => 'answered',
        () => 'given up',
      ),
    );
    controller.abort();
    const answers = await Promise.all(Array.from({ length: 6 }, async () => await find('tiers and plans')));
    expect(answers.map(({ candidates }) => candidates[0]?.name)).toEqual(answers.map(() => 'pricing'));
    await Promise.all(given);
  });

  it('answers as it does elsewhere', async () => {
    const here = createSkillSearch(library, { maxWaitMs: Number.POSITIVE_INFINITY });
    for (const query of ['what should our plans cost?', '恢复文件', 'case 42', 'trash']) {
      const expected = (await here.search(query)).candidates.map(({ name, score, matches }) => ({ name, score, matches }));
      const { candidates, diagnostics } = await find(query);
      expect(candidates.map(({ name, score, matches }) => ({ name, score, matches }))).toEqual(expected);
      expect(diagnostics).toEqual([]);
    }
  });

  it('gives a model its tool, and a catalog of what is pinned', async () => {
    const { catalog, answer } = (await (await get(`/ask?q=${encodeURIComponent('tiers and plans')}`)).json()) as Record<string, string>;
    expect(catalog).toMatch(
      /<skill name="recover" source="team">恢复被删除的文件<\/skill>\n<\/available_skills>\n\n301 skills are not listed here/,
    );
    expect(answer).toMatch(
      /^<skill_candidates>\n<skill name="pricing" source="team" trust="untrusted" found="[^"]+">Decides prices and plans\.<\/skill>/,
    );
  });

  it('answers by an index that was written before, and reads no skill', async () => {
    expect(await (await get('/write')).json()).toMatchObject({ skills: 302, due: 0, diagnostics: [] });
    expect(await (await get('/prebuilt?q=tiers')).json()).toEqual({ names: ['pricing'], diagnostics: [], reads: 0 });
  });
});
