import { createSkillSearch } from '@repertoire/skill-search';
import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const skill = (name: string, description: string, fields = '', body = 'Body.') =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\n${body}\n`;

async function library() {
  return await temporaryFolder({
    'skills/sql-tuning/SKILL.md': skill('sql-tuning', 'Makes slow SQL queries fast. Use when a query is slow.', 'tags: [database]\n'),
    'skills/refunds/SKILL.md': skill('refunds', 'Gives money back. Use when a customer wants a refund.', 'tags: [billing]\n'),
    'skills/hidden/SKILL.md': skill('hidden', 'Explains slow queries to people.', 'disable-model-invocation: true\n'),
  });
}

async function search(cwd: string, ...argv: string[]) {
  const { code, stdout } = await runCli(cwd, ['search', ...argv, '--json']);
  return { code, ...(JSON.parse(stdout) as { searched: number; candidates: { name: string; matches: unknown[]; origin: unknown }[] }) };
}

describe('AUT-1: repertoire search', () => {
  it('AUT-1: finds what fits, best first, and says which words were found where', async () => {
    const folder = await library();
    const found = await search(folder.path, 'why is this query slow', 'skills');
    expect(found).toMatchObject({ code: 0, searched: 3, candidates: [{ name: 'sql-tuning' }, { name: 'hidden' }] });
    expect(found.candidates[0]?.matches).toContainEqual({ text: 'query', fields: expect.arrayContaining(['description']) });
    const text = await runCli(folder.path, ['search', 'why is this query slow', 'skills']);
    expect(text.stdout).toMatch(
      /^1\. sql-tuning {2}100 %\n {3}Makes slow SQL queries fast.*\n {3}from: skills\n {3}found: .*query \(description.*\)[\s\S]*\n2\. hidden/,
    );
    expect(await runCli(folder.path, ['search', 'volcano', 'skills'])).toMatchObject({ code: 0, stdout: 'Nothing fits among 3 skills.\n' });
  });

  it('AUT-1: takes a limit and filters', async () => {
    const folder = await library();
    const names = async (...argv: string[]) =>
      (await search(folder.path, 'slow query refund', 'skills', ...argv)).candidates.map(({ name }) => name);
    expect((await names()).sort()).toEqual(['hidden', 'refunds', 'sql-tuning']);
    expect(await names('--limit', '1')).toHaveLength(1);
    expect(await names('--tags', 'billing')).toEqual(['refunds']);
    expect((await names('--for', 'model')).sort()).toEqual(['refunds', 'sql-tuning']);
    expect(await names('--untrusted')).toEqual([]);
    expect(await names('--from', 'elsewhere')).toEqual([]);
    expect((await names('--trusted', '--from', 'skills')).length).toBe(3);
  });

  it('AUT-1: searches references where that is asked for, also by an index of a bundle', async () => {
    const folder = await temporaryFolder({
      'skills/refunds/SKILL.md': skill('refunds', 'Gives money back.'),
      'skills/refunds/references/chargebacks.md': 'A chargeback takes ninety days.\n',
    });
    expect(await search(folder.path, 'chargeback', 'skills')).toMatchObject({ candidates: [] });
    const found = await search(folder.path, 'chargeback', 'skills', '--references');
    expect(found.candidates).toMatchObject([{ name: 'refunds', matches: [{ text: 'chargeback', fields: ['references'] }] }]);
    for (const [option, expected] of [
      ['--search-index', []],
      ['--search-references', ['refunds']],
    ] as const) {
      expect(await runCli(folder.path, ['bundle', 'skills', '--out', 'out/skills.gen.mjs', option])).toMatchObject({ code: 0 });
      const { skills, searchIndex } = (await import(`${folder.at('out/skills.gen.mjs')}?${option}`)) as {
        skills: SkillDefinition[];
        searchIndex: () => Promise<Uint8Array>;
      };
      using bundled = createSkillSearch(new SkillRegistry({ skills }), { index: searchIndex });
      expect((await bundled.search('chargeback')).candidates.map(({ name }) => name)).toEqual(expected);
    }
  });

  it('AUT-1: proposes the weight of an embedder by the prompts of the library', async () => {
    const evals = (...prompts: readonly object[]) => JSON.stringify(prompts);
    const folder = await temporaryFolder({
      'skills/sql-tuning/SKILL.md': skill('sql-tuning', 'Makes slow SQL queries fast.'),
      'skills/sql-tuning/evals/evals.json': evals({ prompt: 'the report takes forever' }, { prompt: 'my queries' }),
      'skills/refunds/SKILL.md': skill('refunds', 'Gives money back for a report of damage.'),
      'skills/refunds/evals/evals.json': evals({ prompt: 'give back the money' }, { query: 'slow money', should_trigger: false }),
      'embedder.mjs': `const of = (text) => [/forever|sql|quer/i.test(text) ? 1 : 0.1, /money|back/i.test(text) ? 1 : 0.1];
        export default { id: 'two directions', model: async (texts) => texts.map(of) };`,
      'empty.mjs': 'export default {};',
    });
    const { code, stdout } = await runCli(folder.path, ['search', '--tune', 'skills', '--embedder', 'embedder.mjs', '--json']);
    const { prompts, words, best } = JSON.parse(stdout) as { prompts: number; words: object; best: { weight: number; first: number } };
    expect([code, prompts, words]).toMatchObject([0, 4, { weight: 0, first: 2 / 3 }]);
    expect(best).toMatchObject({ first: 1, among: 1 });
    const text = await runCli(folder.path, ['search', '--tune', 'skills', '--embedder', 'embedder.mjs'], { isTTY: true });
    expect(text.stderr).toContain('\r\u001B[KMeasuring 4 prompts…');
    expect(text.stdout).toMatch(/^words alone .*66\.7 %[\s\S]*Use skillEmbedder\(\{ …, weight: 0\.\d+, rankOffset: \d+ \}\)\.\n$/);
    for (const argv of [
      ['--tune'],
      ['--embedder', 'embedder.mjs'],
      ['--tune', '--embedder', 'empty.mjs'],
      ['--tune', '--embedder', 'none.mjs'],
    ])
      expect((await runCli(folder.path, ['search', ...argv, 'skills'])).stderr).toMatch(/--embedder/);
  });

  it.each([
    ['an empty query', ['search', ' ', 'skills'], /The query is empty/],
    ['a limit of none', ['search', 'x', 'skills', '--limit', '0'], /whole number from 1 to 100/],
    ['both trusted and not', ['search', 'x', 'skills', '--trusted', '--untrusted'], /cannot be used with/],
  ])('AUT-1: refuses %s', async (_, argv, message) => {
    const folder = await library();
    expect(await runCli(folder.path, argv)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});
