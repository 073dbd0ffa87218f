import type { LockedSkill } from '@repertoire/skills-core/internal';
import { createSkillLock } from '@repertoire/skill-trust/lock';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillSearch } from '@repertoire/skill-search';
import { s3SkillStore, storageSkillProvider } from '@repertoire/skill-storage';
import { AwsClient } from 'aws4fetch';
import { describe, expect, it } from 'vitest';
import { folderSkillStore } from '../src/publish/folder-skill-store.ts';
import { runCli } from './run-cli.ts';
import { s3Server } from './s3-server.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const library = {
  'skills/refunds/SKILL.md': skillMd('refunds'),
  'skills/refunds/references/policy.md': 'Within 30 days.',
  'skills/refunds/assets/logo.bin': new Uint8Array([0xff, 0, 1, 2]),
  'skills/invoices/SKILL.md': skillMd('invoices'),
};

const withoutSource = ({ source: _source, ...rest }: LockedSkill) => rest;

describe('SRC-9: repertoire publish', () => {
  it('puts a folder of skills into a folder as a store, and nothing where nothing changed', async () => {
    const folder = await temporaryFolder(library);
    const first = await runCli(folder.path, ['publish', 'skills', '--to', './out']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^Published release [0-9a-f]{12} at \.\/out: 2 skills; 6 files uploaded \(\d+ bytes\), 0 there already\.\n$/,
    );
    const store = folderSkillStore(folder.at('out'));
    const [before, after] = [
      await createSkillLock(fileSystemSkillProvider({ roots: [folder.at('skills')] })),
      await createSkillLock(storageSkillProvider({ store })),
    ];
    expect(after.skills.map(withoutSource)).toEqual(before.skills.map(withoutSource));
    const files = await folder.list('out');
    expect(files).toHaveLength(8);
    const again = await runCli(folder.path, ['publish', 'skills', '--to', new URL(`file://${folder.at('out')}`).href]);
    expect(again.stdout).toMatch(/^Left as it was: release .* 0 files uploaded \(0 bytes\), 6 there already\.\n$/);
    expect(await folder.list('out')).toEqual(files);
  });

  it('tells in a dry run what would be uploaded, and writes nothing', async () => {
    const folder = await temporaryFolder(library);
    const { code, stdout } = await runCli(folder.path, ['publish', 'skills', '--to', 'out', '--dry-run', '--prune', '--keep', '2']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\+ invoices\/SKILL\.md \(\d+ bytes\)\n\+ invoices\/contents\.json .*\n\+ refunds\/SKILL\.md .*\n\+ refunds\/assets\/logo\.bin \(4 bytes\)\n\+ refunds\/contents\.json .*\n\+ refunds\/references\/policy\.md \(15 bytes\)\nWould publish release .*6 files to upload/,
    );
    expect((await folder.list()).filter((file) => file.startsWith('out'))).toEqual([]);
  });

  it('prints one JSON document', async () => {
    const folder = await temporaryFolder(library);
    const { stdout } = await runCli(folder.path, ['publish', 'skills', '--to', 'out', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      to: 'out',
      dryRun: false,
      release: expect.stringMatching(/^[0-9a-f]{64}$/),
      replaced: null,
      changed: true,
      skills: 2,
      uploaded: 6,
      reused: 0,
      bytes: expect.any(Number),
      errors: [],
      diagnostics: [],
    });
  });

  it('goes back to the release before, and cleans up', async () => {
    const folder = await temporaryFolder(library);
    const publish = async () =>
      JSON.parse((await runCli(folder.path, ['publish', 'skills', '--to', 'out', '--json'])).stdout) as { release: string };
    const first = await publish();
    await folder.write({ 'skills/refunds/SKILL.md': skillMd('refunds', '', 'Other instructions.') });
    const second = await publish();
    const provider = () => storageSkillProvider({ store: folderSkillStore(folder.at('out')) });
    expect((await provider().getSkill('refunds'))?.body).toBe('Other instructions.');
    const back = await runCli(folder.path, ['publish', '--to', 'out', '--rollback']);
    expect(back.stdout).toBe(`Release ${first.release.slice(0, 12)} is current again, instead of ${second.release.slice(0, 12)}.\n`);
    expect((await provider().getSkill('refunds'))?.body).toBe('Instructions of refunds.');
    expect(await runCli(folder.path, ['publish', '--to', 'out', '--rollback', 'abc'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(second.release),
    });
    // What was written in this hour stays, whoever asks.
    const pruned = await runCli(folder.path, ['publish', '--to', 'out', '--prune']);
    expect(pruned).toMatchObject({ code: 0, stdout: 'Removed 0 objects (0 bytes).\n' });
  });

  it('shows how far it is on a terminal, and clears that line', async () => {
    const folder = await temporaryFolder(library);
    const { stderr } = await runCli(folder.path, ['publish', 'skills', '--to', 'out'], { isTTY: true });
    expect(stderr).toContain('\r\u001B[K2 of 2 skills, 6 files uploaded');
    expect(stderr.endsWith('\r\u001B[K')).toBe(true);
  });

  it('refuses skills that cannot be used, unless it is told to leave them out', async () => {
    const folder = await temporaryFolder({ ...library, 'skills/broken/SKILL.md': 'no frontmatter' });
    const refused = await runCli(folder.path, ['publish', 'skills', '--to', 'out']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/error invalid-skill .*broken/);
    expect((await folder.list()).filter((file) => file.startsWith('out'))).toEqual([]);
    const lenient = await runCli(folder.path, ['publish', 'skills', '--to', 'out', '--lenient']);
    expect(lenient).toMatchObject({ code: 0, stdout: expect.stringContaining('2 skills') });
    expect(lenient.stderr).toMatch(/warning .*broken/);
  });

  it.each([
    ['no roots', ['--to', 'out'], /There is nothing to publish\. Give sources/],
    ['roots to a rollback', ['skills', '--to', 'out', '--rollback'], /--rollback takes no sources/],
    ['a root that is not there', ['skils', '--to', 'out'], /Path does not exist: skils/],
    ['a target that is none', ['skills', '--to', 'gs://bucket'], /--to "gs:\/\/bucket" names no place.*s3:\/\/bucket\/prefix/],
    ['a prefix that some stores would change', ['skills', '--to', 's3://skills/a:b'], /prefix "a:b"/],
    [
      'no credentials of S3',
      ['skills', '--to', 's3://skills', '--region', 'x'],
      /no credentials.*AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    ],
    ['no region', ['skills', '--to', 's3://skills'], /region/],
    ['no account of R2', ['skills', '--to', 'r2://skills'], /CLOUDFLARE_ACCOUNT_ID/],
    ['no token of KV', ['skills', '--to', 'kv://0123'], /CLOUDFLARE_API_TOKEN/],
    ['a count that is none', ['skills', '--to', 'out', '--keep', '1'], /whole number from 2/],
    ['--local without a binding', ['skills', '--to', 'out', '--local'], /--to r2:\/\/BINDING/],
    ['--local where there is no Worker', ['skills', '--to', 'r2://SKILLS', '--local'], /has no wrangler\.jsonc.*--project|Give --project/],
  ])('exits with 2 for %s, and says what to do', async (title, argv, message) => {
    const folder = await temporaryFolder(library);
    const env =
      title === 'no region' || title.startsWith('a prefix') || title === 'no account of R2'
        ? { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', ...(title.startsWith('a prefix') && { AWS_REGION: 'x' }) }
        : {};
    const { code, stdout, stderr } = await runCli(folder.path, ['publish', ...argv], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('refuses to publish nothing, which would take every skill from every reader', async () => {
    const folder = await temporaryFolder({ 'skills/readme.txt': '' });
    expect(await runCli(folder.path, ['publish', 'skills', '--to', 'out'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error skill-not-found .*no skill to publish/),
    });
    expect(await folder.list()).toEqual(['skills/readme.txt']);
  });
});

describe('SRC-9: repertoire publish to S3', () => {
  it('signs what it sends, and uploads only what is new', async () => {
    await using server = await s3Server();
    const folder = await temporaryFolder(library);
    const argv = ['publish', 'skills', '--to', 's3://skills/team/one'];
    expect(await runCli(folder.path, argv, { env: server.env })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('6 files uploaded'),
    });
    const client = new AwsClient({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', service: 's3', region: 'us-east-1' });
    const store = s3SkillStore({ url: `${server.url}/skills`, fetch: (url, init) => client.fetch(url, init) });
    const provider = storageSkillProvider({ store, prefix: 'team/one' });
    expect((await createSkillLock(provider)).skills.map(withoutSource)).toEqual(
      (await createSkillLock(fileSystemSkillProvider({ roots: [folder.at('skills')] }))).skills.map(withoutSource),
    );
    expect((await provider.readResource('refunds', 'references/policy.md', { maxBytes: 6 }))?.bytes).toEqual(
      new TextEncoder().encode('Within'),
    );
    await folder.write({ 'skills/refunds/references/policy.md': 'Within 60 days.' });
    expect((await runCli(folder.path, argv, { env: server.env })).stdout).toContain('2 files uploaded');
    expect((await runCli(folder.path, [...argv, '--prune'], { env: server.env })).stdout).toContain('Removed 0 objects');
    expect((await runCli(folder.path, ['publish', '--to', 's3://skills/team/one', '--rollback'], { env: server.env })).code).toBe(0);
    expect((await store.list('team/one/')).length).toBe(11);
    await store.delete(['team/one/current.json', 'team/one/none']);
    expect(await store.get('team/one/current.json')).toBeNull();
  });

  it.each([
    ['an unknown key', 's3://skills', { AWS_ACCESS_KEY_ID: 'wrong' }, /InvalidAccessKeyId/],
    ['no such bucket', 's3://nowhere', {}, /NoSuchBucket/],
    [
      'no such server',
      's3://skills',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      /error source-unavailable The store s3 did not give current\.json/,
    ],
  ])('exits with 1 for %s, and says what the server said', async (_, to, env, message) => {
    await using server = await s3Server();
    const folder = await temporaryFolder(library);
    const { code, stderr } = await runCli(folder.path, ['publish', 'skills', '--to', to], { env: { ...server.env, ...env } });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});

describe('DIS-14: repertoire publish --search-index', () => {
  it('publishes what a search needs, so that it reads no skill', async () => {
    const folder = await temporaryFolder(library);
    const published = await runCli(folder.path, ['publish', 'skills', '--to', 'out', '--search-index']);
    expect(published).toMatchObject({ code: 0, stderr: '' });
    expect(published.stdout).toContain('7 files uploaded');
    expect((await runCli(folder.path, ['publish', 'skills', '--to', 'out', '--search-index'])).stdout).toMatch(/^Left as it was/);
    const provider = storageSkillProvider({ store: folderSkillStore(folder.at('out')) });
    const asked: string[] = [];
    const watched = { ...provider, getSkill: async (name: string) => (asked.push(name), await provider.getSkill(name)) };
    const search = createSkillSearch(watched, { index: async (options) => await provider.searchIndex(options) });
    expect((await search.search('Instructions of refunds')).candidates[0]).toMatchObject({ name: 'refunds' });
    expect(search.status()).toMatchObject({ skills: 2, due: 0, diagnostics: [] });
    expect(asked).toEqual([]);
  });
});
