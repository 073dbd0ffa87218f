import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { described, evalLibrary } from './support-evals.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Printed {
  readonly ok: boolean;
  readonly routing: {
    readonly firstShare: number | null;
    readonly confusion: Record<string, Record<string, number>>;
    readonly prompts: readonly {
      readonly skill: string;
      readonly prompt: string;
      readonly shouldTrigger: boolean;
      readonly first: string;
      readonly words: string[];
    }[];
    readonly collisions: readonly { readonly skills: string[]; readonly words: string[] }[];
  };
  readonly regressions: {
    readonly taken: readonly { readonly skill: string; readonly by: string; readonly isNew: boolean; readonly words: string[] }[];
    readonly collisions: unknown[];
  } | null;
  readonly failures: readonly { readonly kind: string; readonly skill: string; readonly message: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
}

async function tested(cwd: string, ...argv: string[]): Promise<Printed & { readonly code: number; readonly stderr: string }> {
  const { code, stdout, stderr } = await runCli(cwd, ['test', 'skills', ...argv, '--json']);
  return { code, stderr, ...(JSON.parse(stdout) as Printed) };
}

/** A skill that is after the requests of `refunds`. */
const thief = described('money-desk', 'Gives money back to customers who want it. Use when the customer wants the money back or a refund.');

function git(cwd: string, ...words: string[]): void {
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words], { cwd, stdio: 'ignore' });
}

describe('AUT-4: repertoire test without a model', () => {
  it('AUT-4: sends the requests of a library through it, and tells which skill gets which', async () => {
    const folder = await evalLibrary();
    const found = await tested(folder.path);
    expect(found).toMatchObject({ ok: true, code: 0, failures: [], regressions: null });
    expect(found.routing).toMatchObject({
      firstShare: 1,
      confusion: { 'sql-tuning': { 'sql-tuning': 2 }, refunds: { refunds: 2 }, haiku: { haiku: 1 } },
      collisions: [],
    });
    expect(found.routing.prompts.filter(({ shouldTrigger }) => !shouldTrigger)).toMatchObject([
      { prompt: 'Send the customer an invoice.' },
    ]);
    const text = (await runCli(folder.path, ['test', 'skills'])).stdout;
    expect(text).toBe(
      'Lint: no errors.\nRouting by words: 3 skills, 5 requests, 1 for others.\n  own skill first 100 %, among the first five 100 %\n\nPassed.\n',
    );
  });

  it('AUT-4: finds a skill that takes the requests of another one, and names the words that they share', async () => {
    const folder = await evalLibrary({ 'skills/money-desk/SKILL.md': thief });
    const found = await tested(folder.path);
    expect(found).toMatchObject({ ok: false, code: 1, failures: [{ kind: 'collision' }] });
    expect(found.routing.collisions).toMatchObject([
      { skills: ['money-desk', 'refunds'], words: expect.arrayContaining(['money', 'refund']) },
    ]);
    expect(found.routing.confusion['refunds']).toMatchObject({ 'money-desk': 1 });
    const text = (await runCli(folder.path, ['test', 'skills'])).stdout;
    expect(text).toMatch(/another skill gets first:\n {2}refunds -> money-desk: 1 request\n {6}.*money/);
    expect(text).toMatch(/claim the same requests:\n {2}money-desk = refunds: \d\d % alike\n {6}.*money[\s\S]*\nFailed: 1 finding\.\n$/);
  });

  it('AUT-4: siblings that their names tell apart do not collide', async () => {
    const of = (language: string) =>
      described(
        `trace-${language}`,
        `Adds tracing to services that are written in ${language}. Use when traces of ${language} are missing.`,
      );
    const folder = await temporaryFolder({ 'skills/trace-java/SKILL.md': of('java'), 'skills/trace-ruby/SKILL.md': of('ruby') });
    expect((await tested(folder.path)).routing.collisions).toEqual([]);
    await folder.write({ 'skills/tracer/SKILL.md': of('ruby').replace('name: trace-ruby', 'name: tracer') });
    expect((await tested(folder.path)).routing.collisions[0]).toMatchObject({ skills: ['trace-ruby', 'tracer'] });
  });

  it('AUT-4: a description that hands over to the other skill settles a collision, and a name that only stands there does not', async () => {
    const claim = 'Gives customers their money back for an order. Use when a customer wants a refund of an order.';
    const collisions = async (first: string, second: string): Promise<number> => {
      const folder = await temporaryFolder({
        'skills/refund-desk/SKILL.md': described('refund-desk', first),
        'skills/returns/SKILL.md': described('returns', second),
        'skills/haiku/SKILL.md': described('haiku', 'Writes short poems about seasons.'),
      });
      return (await tested(folder.path)).routing.collisions.length;
    };
    expect(await collisions(claim, claim)).toBe(1);
    for (const handing of [
      'Do not use for damaged goods (use returns).',
      'For damaged goods, see `returns`.',
      'Damaged goods → returns.',
      'With damaged goods, hand over to the skill "returns".',
    ])
      expect(await collisions(`${claim} ${handing}`, claim), handing).toBe(0);
    for (const words of [
      'Also for returns and exchanges.',
      'For any of these: use when returns are wanted.',
      'Do not use for returns-desk.',
    ])
      expect(await collisions(`${claim} ${words}`, claim), words).toBe(1);
    // A copy that says the name of both, as the original does, refers to nobody.
    expect(await collisions(`${claim} Use returns.`, `${claim} Use returns.`)).toBe(1);
  });

  it('AUT-4: what a description says that it is not for is not what it claims', async () => {
    const of = (kind: string, other: string) =>
      described(
        `show-${kind}-ads-in-app`,
        `Shows ${kind} ads in a mobile application of a customer. Use when ${kind} ads are wanted. Don't use for ${other} ads.`,
      );
    const folder = await temporaryFolder({
      'skills/show-banner-ads-in-app/SKILL.md': of('banner', 'rewarded'),
      'skills/show-rewarded-ads-in-app/SKILL.md': of('rewarded', 'banner'),
    });
    expect((await tested(folder.path)).routing.collisions).toEqual([]);
  });

  it('AUT-4: with a file as baseline, fails only for what became worse', async () => {
    const folder = await evalLibrary({
      'skills/poems/SKILL.md': described('poems', 'Writes haiku about seasons. Use when any poem is wanted.'),
    });
    // What was there before is known, whether good or bad.
    expect((await tested(folder.path, '--write-baseline', 'routing.json')).code).toBe(1);
    expect(await tested(folder.path, '--baseline', 'routing.json')).toMatchObject({ code: 0, regressions: { taken: [], collisions: [] } });
    await folder.write({ 'skills/money-desk/SKILL.md': thief });
    const worse = await tested(folder.path, '--baseline', 'routing.json');
    expect(worse.code).toBe(1);
    expect(worse.regressions?.taken).toMatchObject([
      { skill: 'refunds', by: 'money-desk', isNew: true, words: expect.arrayContaining(['money']) },
    ]);
    expect(worse.failures.map(({ kind }) => kind)).toEqual(['taken', 'collision']);
    expect(worse.failures[0]?.message).toMatch(
      /^money-desk, which is new, takes the request "The customer wants the money back\." from refunds, by the words /,
    );
    const before = await readFile(folder.at('routing.json'), 'utf8');
    await writeFile(folder.at('routing.json'), before.replace('"skills": [', '"skills": [1,'));
    expect(await tested(folder.path, '--baseline', 'routing.json')).toMatchObject({
      code: 2,
      errors: [{ message: expect.stringContaining('is damaged') }],
    });
  });

  it('AUT-4: takes a lock file and a commit of git as baselines, too', async () => {
    const folder = await evalLibrary();
    expect(await runCli(folder.path, ['lock', 'write', 'skills'])).toMatchObject({ code: 0 });
    git(folder.path, 'init', '-q', '-b', 'main');
    git(folder.path, 'add', '.');
    git(folder.path, 'commit', '-qm', 'Skills');
    await folder.write({ 'skills/money-desk/SKILL.md': thief });
    for (const baseline of ['skills.lock.json', 'main', 'HEAD']) {
      const found = await tested(folder.path, '--baseline', baseline);
      expect(found.code, baseline).toBe(1);
      expect(found.regressions?.taken, baseline).toMatchObject([{ skill: 'refunds', by: 'money-desk', isNew: true }]);
    }
    // A commit knows the texts of its time: a description that changed takes requests as a new skill does.
    await folder.remove('skills/money-desk');
    await folder.write({ 'skills/haiku/SKILL.md': thief.replace('name: money-desk', 'name: haiku') });
    expect((await tested(folder.path, '--baseline', 'main')).regressions?.taken).toMatchObject([{ by: 'haiku', isNew: false }]);
    git(folder.path, 'checkout', '-q', 'skills/haiku');
    expect(await tested(folder.path, '--baseline', 'main')).toMatchObject({ code: 0 });
    expect(await tested(folder.path, '--baseline', 'no-such-branch')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read from git'),
    });
  });

  it('AUT-4: writes JUnit and Markdown, which no text of a skill breaks', async () => {
    const hostile = '</failure><b>@team & [x](javascript:1) | `y`\u0007';
    const folder = await evalLibrary({
      'skills/money-desk/SKILL.md': thief,
      'skills/refunds/evals/more.evals.json': JSON.stringify([{ prompt: `The customer wants the money back ${hostile}` }]),
    });
    const before = await evalLibrary();
    expect(await runCli(before.path, ['test', 'skills', '--write-baseline', folder.at('routing.json')])).toMatchObject({ code: 0 });
    expect((await tested(folder.path, '--baseline', 'routing.json', '--junit', 'report.xml', '--markdown', 'report.md')).code).toBe(1);
    const xml = await readFile(folder.at('report.xml'), 'utf8');
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="repertoire test" tests="\d+" failures="2" errors="0">/,
    );
    expect(xml).toContain('<testcase classname="routing" name="refunds: Refund order 17." file="');
    expect(xml).toMatch(
      /name="refunds: The customer wants the money back\." file="[^"]+" line="3">\n {6}<failure message="money-desk takes the request/,
    );
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml).not.toContain('<b>');
    expect(xml).not.toContain('\u0007');
    const markdown = await readFile(folder.at('report.md'), 'utf8');
    expect(markdown).toMatch(/^<!-- repertoire test -->\n\n### Skills: 2 findings\n/);
    expect(markdown).toContain('| The customer wants the money back. | refunds | money-desk |');
    expect(markdown).not.toMatch(/<b>|@team|\[x\]\(/);
  });

  it('AUT-4: a bad file of evaluations hides no other, and a wrong name is told', async () => {
    const folder = await evalLibrary({
      'skills/haiku/evals/a.evals.json': 'no json',
      'skills/haiku/evals/b.evals.json': JSON.stringify({
        skill_name: 'nobody',
        evals: [{ prompt: 'A haiku about seasons' }, { text: 'x' }, 7],
      }),
      'skills/haiku/evals/c.evals.json': '{"cases":[]}',
    });
    const found = await tested(folder.path);
    // A file that cannot be read is an error: its requests would be missing silently.
    expect(found.code).toBe(1);
    expect(found.diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      expect.stringMatching(/^error evals\/a\.evals\.json is no JSON/),
      expect.stringMatching(/^info skill_name of .* is "nobody"/),
      expect.stringMatching(/^warning Entry 2 of/),
      expect.stringMatching(/^warning Entry 3 of/),
      expect.stringMatching(/^warning evals\/c\.evals\.json holds no list/),
    ]);
    expect(found.routing.confusion['haiku']).toEqual({ haiku: 2 });
  });

  it('AUT-4: lints first, and fails where a bar is not reached', async () => {
    const folder = await evalLibrary({ 'skills/haiku/SKILL.md': described('haiku', 'Writes about seasons.', '[x](gone.md)') });
    expect(await tested(folder.path)).toMatchObject({
      code: 1,
      failures: [{ kind: 'lint', skill: 'haiku', message: expect.stringContaining('[dead-link]') }],
    });
    expect(await tested(folder.path, '--no-lint', '--min-first', '0.8')).toMatchObject({ code: 0 });
    await folder.write({
      'skills/haiku/evals/more.evals.json': JSON.stringify(['Refund me', 'Money', 'Query'].map((prompt) => ({ prompt }))),
    });
    const found = await tested(folder.path, '--no-lint', '--min-first', '0.8');
    expect(found).toMatchObject({ code: 1, failures: [{ kind: 'share', message: expect.stringContaining('the bar is 80 %') }] });
  });

  it.each([
    ['bars without a model', ['--min-activation', '0.5'], /--min-activation needs a model/],
    ['too few runs', ['--runs', '3', '--model', 'a/b'], /whole number/],
    ['a share above 1', ['--min-first', '2'], /share from 0 to 1/],
    ['a baseline that is something else', ['--baseline', 'skills/sql-tuning/evals/evals.json'], /neither a baseline nor a lock file/],
  ])('AUT-4: refuses %s', async (_, argv, message) => {
    const folder = await evalLibrary();
    expect(await runCli(folder.path, ['test', 'skills', ...argv])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });

  it('AUT-4: says that there is nothing to test, and tests what has no requests by its descriptions', async () => {
    const folder = await temporaryFolder({ 'skills/readme.md': '' });
    expect(await runCli(folder.path, ['test', 'skills'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no skill to test') });
    await folder.write({ 'skills/a/SKILL.md': described('a', 'Brews tea. Use for tea.') });
    expect((await runCli(folder.path, ['test', 'skills'])).stdout).toContain('so only descriptions are compared');
  });

  const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
  it('AUT-4: reads every evaluation of the corpus', async (context) => {
    context.skip(!existsSync(corpus), 'the corpus of published skills is not beside the project (../shared/corpus)');
    const { stdout } = await runCli(corpus, [
      'test',
      'coreyhaines31__marketingskills',
      'daymade__claude-code-skills',
      'UiPath__skills',
      '--no-lint',
      '--json',
    ]);
    const { routing, diagnostics } = JSON.parse(stdout) as Printed;
    expect(routing.prompts.filter(({ shouldTrigger }) => shouldTrigger).length).toBeGreaterThan(380);
    expect(diagnostics.filter(({ code, severity }) => code === 'eval-invalid' && severity !== 'info')).toEqual([]);
    expect(routing.firstShare).toBeGreaterThan(0.5);
  });
});
