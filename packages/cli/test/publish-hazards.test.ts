import fs from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { storageSkillProvider } from '@repertoire/skill-storage';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderSkillStore } from '../src/publish/folder-skill-store.ts';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const library = { 'skills/refunds/SKILL.md': skillMd('refunds') };
const secret = 'hunter2';

describe('SRC-9: repertoire publish that goes wrong half-way', () => {
  it('tells what was published where cleaning up fails', async () => {
    const folder = await temporaryFolder(library);
    const publish = (...more: string[]) => runCli(folder.path, ['publish', 'skills', '--to', 'out', '--json', ...more]);
    const first = JSON.parse((await publish()).stdout) as { release: string };
    const damaged = `out/releases/${first.release}.json`;
    await folder.write({ [damaged]: '{}', 'skills/refunds/SKILL.md': skillMd('refunds', '', 'Other instructions.') });
    const { code, stdout, stderr } = await publish('--prune');
    expect(code).toBe(1);
    const document = JSON.parse(stdout) as { release: string };
    expect(document).toMatchObject({ ok: false, changed: true, errors: [{ code: 'digest-mismatch' }] });
    expect(document).not.toHaveProperty('pruned');
    expect(stderr).toMatch(/error digest-mismatch[^]*Published release/);
    const pointer = JSON.parse(await readFile(folder.at('out/current.json'), 'utf8')) as { release: string };
    expect(pointer.release).toBe(document.release);
    expect((await storageSkillProvider({ store: folderSkillStore(folder.at('out')) }).getSkill('refunds'))?.body).toBe(
      'Other instructions.',
    );
  });

  it('publishes nothing where not everything could be listed, unless that is said; --lenient alone does not say it', async () => {
    const folder = await temporaryFolder({ ...library, 'skills/locked/SKILL.md': skillMd('locked') });
    const refused = (at: unknown) => String(at).endsWith('/locked');
    const error = Object.assign(new Error('EACCES'), { code: 'EACCES' });
    const readdir = fs.readdir as unknown as (...all: unknown[]) => void;
    const readdirSync = fs.readdirSync as unknown as (...all: unknown[]) => unknown;
    // A listing reads folders in slices, and from threads where the disk is slow.
    vi.spyOn(fs, 'readdir').mockImplementation(((at: unknown, options: unknown, callback: (...all: unknown[]) => void) => {
      if (refused(at)) callback(error, []);
      else readdir(at, options, callback);
    }) as never);
    vi.spyOn(fs, 'readdirSync').mockImplementation(((...all: unknown[]) => {
      if (refused(all[0])) throw error;
      return readdirSync(...all);
    }) as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const publish = (...more: string[]) => runCli(folder.path, ['publish', 'skills', '--to', 'out', ...more]);
    for (const more of [[], ['--lenient']]) {
      expect(await publish(...more)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/could not list all of them.*EACCES.*--allow-incomplete/s),
      });
    }
    expect(await folder.list('.')).not.toContain('out/current.json');
    expect(await publish('--allow-incomplete')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 skill;') });
  });

  it.each([['--prune'], ['--rollback']])('refuses --keep with %s and nothing to publish, where it would do nothing', async (option) => {
    const folder = await temporaryFolder(library);
    expect(await runCli(folder.path, ['publish', '--to', 'out', option, '--keep', '5'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--keep is for publishing/),
    });
  });
});

describe('SRC-9: repertoire publish tells no secret', () => {
  const s3 = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'x' };
  const kv = { CLOUDFLARE_ACCOUNT_ID: 'a', CLOUDFLARE_API_TOKEN: 'b' };
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['a password in the endpoint of S3', ['s3://skills', '--endpoint', `http://me:${secret}@127.0.0.1:9`], s3, /--endpoint .*user/],
    ['a query of the endpoint of R2', ['r2://skills', '--endpoint', `http://127.0.0.1:9/?token=${secret}`], s3, /--endpoint .*query/],
    ['a password in the endpoint of KV', ['kv://0123', '--endpoint', `http://me:${secret}@127.0.0.1:9`], kv, /--endpoint .*user/],
    ['a password in AWS_ENDPOINT_URL', ['s3://skills'], { ...s3, AWS_ENDPOINT_URL: `http://me:${secret}@127.0.0.1:9` }, /user/],
    ['a password in what is no URL', ['s3://skills', '--endpoint', `https://me:${secret}@`], s3, /--endpoint .* is no URL/],
    ['a token of two lines', ['kv://0123'], { ...kv, CLOUDFLARE_API_TOKEN: `${secret}\nmore` }, /CLOUDFLARE_API_TOKEN/],
    ['a key of two lines', ['s3://skills'], { ...s3, AWS_ACCESS_KEY_ID: `${secret}\nmore` }, /AWS_ACCESS_KEY_ID/],
    ['a session of two lines', ['s3://skills'], { ...s3, AWS_SESSION_TOKEN: `${secret}\nmore` }, /AWS_SESSION_TOKEN/],
  ])('of %s', async (_, [to, ...more], env, message) => {
    const folder = await temporaryFolder(library);
    const { code, stdout, stderr } = await runCli(folder.path, ['publish', 'skills', '--json', '--to', to ?? '', ...more], { env });
    expect(stderr).toMatch(message);
    expect(stdout + stderr).not.toContain(secret);
    expect(code).toBe(2);
  });
});

describe('SRC-9: repertoire publish --local', () => {
  it('reads the configuration that wrangler dev reads, where there are two', async () => {
    const wrangler = path.dirname(createRequire(import.meta.url).resolve('wrangler/package.json'));
    const configuration = (binding: string) =>
      JSON.stringify({ name: 'worker', compatibility_date: '2026-11-01', r2_buckets: [{ binding, bucket_name: 'skills' }] });
    const folder = await temporaryFolder({
      ...library,
      'package.json': '{}',
      'wrangler.json': configuration('SKILLS'),
      'wrangler.jsonc': configuration('OTHER'),
      'node_modules/.keep': '',
    });
    await symlink(wrangler, folder.at('node_modules', 'wrangler'), 'dir');
    const { code, stderr } = await runCli(folder.path, ['publish', 'skills', '--to', 'r2://SKILLS', '--local']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
