import { chmod, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { lintRules } from '../src/lint/lint-rules.ts';
import { lintCases, guide } from './lint-cases.ts';
import { body, skill, when, type Files } from './skill-cases.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Rules about more than one skill folder, which have tests of their own. */
const amongSkills = [
  'duplicate-name',
  'look-alike-name',
  'similar-descriptions',
  'sibling-link',
  'invalid-steps',
  'invalid-plugin',
  'plugin-advice',
];

interface Found {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
}

async function found(files: Files, rule: string): Promise<Found[]> {
  const folder = await temporaryFolder(Object.fromEntries(Object.entries(files).map(([file, text]) => [`a/${file}`, text])));
  for (const file of Object.keys(files))
    if (rule === 'script-interpreter' && file.startsWith('scripts/')) await chmod(folder.at('a', file), 0o755);
  const { stdout } = await runCli(folder.path, ['lint', 'a', '--only', rule, '--json']);
  return (JSON.parse(stdout) as { findings: Found[] }).findings;
}

describe('AUT-2: each rule', () => {
  it('AUT-2: has cases', () => {
    expect([...Object.keys(lintCases), ...amongSkills].sort()).toEqual(lintRules.map(({ id }) => id).sort());
  });

  for (const [rule, { bad, good }] of Object.entries(lintCases)) {
    it(`AUT-2: ${rule} finds what is wrong, and leaves alone what is not`, async (context) => {
      context.skip(process.platform === 'win32' && rule.startsWith('script-'), 'files have no mode on Windows');
      expect(bad).not.toEqual([]);
      for (const files of bad) expect(await found(files, rule), JSON.stringify(files)).not.toEqual([]);
      for (const files of good) expect(await found(files, rule), JSON.stringify(files)).toEqual([]);
    });
  }

  it('AUT-2: a description that tells the steps of the work is found', async () => {
    const [first] = lintCases['description-workflow']?.bad ?? [];
    expect(await found(first ?? {}, 'description-workflow'), 'S3-51').not.toEqual([]);
  });

  it('AUT-2: sibling-link is told apart from dead-link and outside-link', async () => {
    const text = '[there](../other/SKILL.md) [folder](../other) [gone](../other/references/gone.md) [out](../../docs/x.md) [dead](x.md)';
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skill(text),
      'skills/other/SKILL.md': skill('Body.').replace('name: a', 'name: other'),
    });
    const { stdout } = await runCli(folder.path, ['lint', '.', '--ignore', 'similar-descriptions', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string }[] };
    expect(findings.map(({ code, message }) => [code, /"(.*?)"/.exec(message)?.[1]])).toEqual([
      ['dead-link', '../other/references/gone.md'],
      ['dead-link', 'x.md'],
      ['sibling-link', '../other/SKILL.md'],
      ['sibling-link', '../other'],
      ['outside-link', '../../docs/x.md'],
    ]);
  });

  it('AUT-2: wrong-case says how the file is written', async () => {
    const [link, main] = await found(body('[g](references/guide.md) [m](skill.md)', guide), 'wrong-case');
    expect([link?.fix, main?.fix]).toEqual(['Write "references/Guide.md".', 'Write "SKILL.md".']);
  });

  it('AUT-2: duplicate-name, look-alike-name and similar-descriptions compare skills; plugins have names of their own', async () => {
    const of = (name: string, description: string): string => `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;
    const folder = await temporaryFolder({
      'billing/SKILL.md': of('billing', when),
      'more/billing/SKILL.md': of('billing', 'Handles refunds of the shop. Use when money goes back.'),
      'bi11ing/SKILL.md': of('bi11ing', 'Prints labels for parcels. Use when something is sent.'),
      'tuning/SKILL.md': of('tuning', `${when.slice(0, -1)} today.`),
      'plugins/one/skills/ship/SKILL.md': of('ship', 'Sends parcels abroad with papers of customs. Use when somebody orders from abroad.'),
      'plugins/two/skills/ship/SKILL.md': of('ship', 'Repairs boats in a dock. Use when a boat leaks.'),
    });
    const { stdout } = await runCli(folder.path, ['lint', '.', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { code: string; path: string }[] };
    expect(findings.map(({ code, path }) => `${code} ${path.replaceAll('\\', '/')}`)).toEqual([
      'look-alike-name billing/SKILL.md',
      'duplicate-name more/billing/SKILL.md',
      'similar-descriptions tuning/SKILL.md',
    ]);
  });

  it('AUT-2: --fix of hidden characters keeps links to emoji headings', async () => {
    const text = skill('# ⚙️ Setup\n\n[x](#️-setup) te\u200bst');
    const folder = await temporaryFolder({ 'a/SKILL.md': text });
    expect(await runCli(folder.path, ['lint', 'a', '--fix'])).toMatchObject({ code: 0 });
    expect(await readFile(folder.at('a/SKILL.md'), 'utf8')).toBe(text.replace('\u200b', ''));
  });

  it('AUT-2: hostile Markdown is read in bounded time', async () => {
    const text = [`${'> '.repeat(3_000)}x`, `${'- '.repeat(2_000)}y`, '['.repeat(5_000), `${'*'.repeat(5_000)}a`, '[a](b.md)'].join('\n\n');
    expect((await found(body(text), 'dead-link')).length).toBe(1);
  });
});
