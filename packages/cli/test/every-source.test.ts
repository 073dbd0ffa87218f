import { generateKeyPairSync } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { zipOf } from '../../skill-http/test/support/archives.ts';
import { runCli } from './run-cli.ts';
import { sourceKinds } from './source-kinds.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

interface Printed {
  readonly ok: boolean;
  readonly errors: readonly { readonly code: string }[];
  readonly diagnostics: readonly { readonly code: string }[];
}

async function printed<Result>(cwd: string, ...argv: string[]): Promise<Result & Printed & { readonly code: number }> {
  const { code, stdout, stderr } = await runCli(cwd, [...argv, '--json']);
  expect(stdout, stderr).not.toBe('');
  return { code, ...(JSON.parse(stdout) as Result & Printed) };
}

describe('AUT-1: check, lint, verify, bundle and publish take every source', () => {
  it('AUT-1: say the same of an archive, storage, a site and an MCP server as of the folder', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const files: Record<string, string> = {
      'skills/a/SKILL.md': skillMd('a', 'license: MIT', 'See [more](references/more.md) and [none](references/none.md).'),
      'skills/a/references/more.md': 'More.\u200B',
      'skills/a/scripts/run.sh': '#!/bin/sh\ntrue\n',
      'skills/b/SKILL.md': skillMd('b', 'tags: x'),
    };
    const folder = await temporaryFolder({ ...files, 'own.pem': privateKey, 'own.pub': publicKey });
    expect(await runCli(folder.path, ['sign', 'skills/a', '--key', 'own.pem'])).toMatchObject({ code: 0 });
    const signature = execFileSync('cat', [folder.at('skills/a/skill.oms.sig')], { encoding: 'utf8' });
    const kinds = await sourceKinds(folder, { ...files, 'skills/a/skill.oms.sig': signature });
    for (const source of kinds) {
      const checked = await printed<{ skills: object[] }>(folder.path, 'check', source);
      expect(checked, source).toMatchObject({
        code: 1,
        failed: 1,
        skills: [
          { path: expect.stringMatching(/\/a$/), name: 'a', valid: true },
          { path: expect.stringMatching(/\/b$/), valid: false, diagnostics: [{ message: expect.stringContaining('tags') }] },
        ],
      });
      const linted = await printed<{ findings: { code: string; path: string }[] }>(folder.path, 'lint', source);
      expect(linted.findings.map(({ code, path }) => [code, path.split('/').slice(-2).join('/')]).sort(), source).toEqual([
        ['dead-link', 'a/SKILL.md'],
        ['hidden-character', 'references/more.md'],
      ]);
      // What only a file system knows is not guessed.
      expect(linted.diagnostics.map(({ code }) => code)).toContain('executable-not-checked');
      const verified = await printed<{ skills: object[] }>(folder.path, 'verify', source, '--public-key', 'own.pub');
      expect(verified, source).toMatchObject({
        code: 1,
        skills: [{ verified: true }, { verified: false, problems: [{ code: 'unsigned' }] }],
      });
      const out = `out-${kinds.indexOf(source)}.ts`;
      const bundled = await printed(folder.path, 'bundle', source, '--out', out);
      expect(bundled, source).toMatchObject({ code: 0, skills: [{ name: 'a' }, { name: 'b' }] });
      expect(bundled.diagnostics.map(({ code }) => code)).toContain('untrusted-skill');
      const store = `store-${kinds.indexOf(source)}`;
      expect(await printed(folder.path, 'publish', source, '--to', `./${store}`), source).toMatchObject({ code: 0, skills: 2 });
      expect(await runCli(folder.path, ['diff', 'skills', `store:./${store}`, '--stat']), source).toMatchObject({ code: 0 });
    }
    expect(await runCli(folder.path, ['bundle', 'skills', '--out', 'folder.ts'])).toMatchObject({ code: 0, stderr: '' });
    const load = (file: string) => createRequire(import.meta.url)(folder.at(file)) as { lock: { skills: object[] } };
    // The bytes are those of the author, wherever they came from.
    for (const index of kinds.keys()) expect(load(`out-${index}.ts`).lock).toEqual(load('folder.ts').lock);
  });

  it('AUT-1: options that need folders say so, and name the source that is none', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    await folder.write({ 'a.zip': zipOf({ 'a/SKILL.md': skillMd('a') }) });
    for (const [argv, why] of [
      [['check', 'a.zip', '--since', 'HEAD'], '--since compares folders with git'],
      [['lint', 'skills', 'a.zip', '--since', 'HEAD'], '--since compares folders with git'],
      [['lint', 'a.zip', '--fix'], '--fix changes files'],
      [['bundle', 'a.zip', '--out', 'x.ts', '--watch'], '--watch notices changes of folders'],
    ] as const) {
      const { code, stdout, stderr } = await runCli(folder.path, argv);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: `error invalid-options ${why}, and a.zip is no folder. Leave the option out, or give folders.\n`,
      });
    }
  });

  it('AUT-1: a skill that a source cannot load is no skill that passed', async () => {
    const folder = await temporaryFolder();
    await folder.write({ 'x.zip': zipOf({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': 'no frontmatter' }) });
    expect(await printed(folder.path, 'check', 'x.zip')).toMatchObject({ code: 1, checked: 2, failed: 1 });
    expect(await printed(folder.path, 'lint', 'x.zip')).toMatchObject({ code: 1, errors: [{ code: 'invalid-skill' }] });
    expect(await printed(folder.path, 'bundle', 'x.zip', '--out', 'x.ts')).toMatchObject({ code: 1, refused: 1 });
    expect(await printed(folder.path, 'publish', 'x.zip', '--to', './store')).toMatchObject({ code: 1 });
    expect((await folder.list()).filter((file) => file !== 'x.zip')).toEqual([]);
    // The others are carried where that is asked for.
    expect(await printed(folder.path, 'bundle', 'x.zip', '--out', 'x.ts', '--lenient')).toMatchObject({ code: 0, skills: [{ name: 'a' }] });
  });

  it('AUT-1: a bundle of another source is strict where that is asked for', async () => {
    const folder = await temporaryFolder();
    await folder.write({ 'x.zip': zipOf({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b', 'tags: x') }) });
    expect(await printed(folder.path, 'bundle', 'x.zip', '--out', 'x.ts')).toMatchObject({ code: 0 });
    expect(await printed(folder.path, 'bundle', 'x.zip', '--out', 'x.ts', '--strict')).toMatchObject({
      code: 1,
      errors: [{ code: 'invalid-skill', message: expect.stringContaining('tags'), skill: 'b' }],
    });
  });

  it('AUT-1: a glob names several folders, for every command', async () => {
    const folder = await temporaryFolder({ 'packages/x/skills/a/SKILL.md': skillMd('a'), 'packages/y/skills/b/SKILL.md': skillMd('b') });
    expect(await printed(folder.path, 'list', 'packages/*/skills')).toMatchObject({
      skills: [
        { name: 'a', origin: { label: 'packages/x/skills' } },
        { name: 'b', origin: { label: 'packages/y/skills' } },
      ],
    });
    expect(await printed(folder.path, 'bundle', 'packages/**/SKILL.md', '--out', 'x.ts')).toMatchObject({ code: 0, refused: 0 });
    expect(await runCli(folder.path, ['list', 'packages/*/none'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('matches no folder'),
    });
  });
});
