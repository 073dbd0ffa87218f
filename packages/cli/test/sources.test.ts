import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { nodeListener } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { createSkillset } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { zipOf } from '../../skill-http/test/support/archives.ts';
import { runCli } from './run-cli.ts';
import { s3Server } from './s3-server.ts';
import { sourceKinds, startedSource } from './source-kinds.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

/** Publishes a folder over real HTTP, and gives its address. */
async function served(folder: string): Promise<string> {
  const handler = createSkillsHandler(fileSystemSkillProvider({ roots: [folder] }));
  const server = createServer(nodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = async (cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  JSON.parse((await runCli(cwd, [...argv, '--json'], { env })).stdout) as Record<string, unknown>;

describe('AUT-1: sources of the command line', () => {
  it('AUT-1: lists and shows the same of a folder and of a URL', async () => {
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('a', 'license: MIT'),
      'skills/a/references/more.md': 'More.',
      'skills/b/SKILL.md': skillMd('b', 'metadata:\n  version: "2.0"'),
    });
    const url = await served(folder.at('skills'));
    for (const source of ['skills', url]) {
      const listed = await json(folder.path, ['list', source]);
      expect(listed).toMatchObject({ ok: true, complete: true, skills: [{ name: 'a' }, { name: 'b' }] });
      const shown = await json(folder.path, ['show', 'a', source]);
      expect(shown).toMatchObject({
        ok: true,
        skill: { license: 'MIT', body: 'Instructions of a.', resources: [{ path: 'references/more.md' }] },
      });
      const text = (await runCli(folder.path, ['show', 'a', source])).stdout;
      expect(text).toMatch(
        /^a\nWhat a does\. Use it in tests\.\n\nlicense +MIT\n[\s\S]*references\/more\.md +5 bytes +reference\n\nInstructions of a\.\n$/,
      );
      expect((await runCli(folder.path, ['list', source])).stdout).toMatch(/^a +What a does\. Use it in tests\.\nb +.*What b does/m);
    }
    // A name of a trusted source is taken by no other, whichever comes first.
    const mine = { kind: 'fs', label: 'skills', trusted: true };
    for (const words of [
      [url, 'skills'],
      ['skills', url],
    ]) {
      expect(await json(folder.path, ['list', ...words])).toMatchObject({ skills: [{ origin: mine }, { origin: mine }] });
    }
  });

  it('AUT-1: opens archives, MCP servers and storage as it opens folders', async () => {
    const files = {
      'skills/a/SKILL.md': skillMd('a'),
      'skills/a/references/more.md': 'More.',
      'skills/b/SKILL.md': skillMd('b', 'metadata:\n  version: "2.0"'),
    };
    const folder = await temporaryFolder(files);
    await folder.write({ 'a.skill': zipOf({ 'SKILL.md': files['skills/a/SKILL.md'] }) });
    await using bucket = await s3Server();
    expect(await runCli(folder.path, ['publish', 'skills', '--to', 's3://skills/team'], { env: bucket.env })).toMatchObject({ code: 0 });
    for (const source of [...(await sourceKinds(folder, files)), startedSource(), 's3://skills/team']) {
      const listed = await json(folder.path, ['list', source], bucket.env);
      expect(listed, source).toMatchObject({
        ok: true,
        complete: true,
        skills: [{ name: 'a', origin: { trusted: false } }, { name: 'b' }],
      });
      const same = await runCli(folder.path, ['diff', 'skills', source, '--stat', '--json'], { env: bucket.env });
      expect(JSON.parse(same.stdout), source).toMatchObject({ same: true });
    }
    expect(await json(folder.path, ['list', 'a.skill'])).toMatchObject({ skills: [{ name: 'a', origin: { label: 'a.skill' } }] });
    // Kinds can be mixed: of those without trust the first has a name, and folders have it before them.
    const kinds = async (...words: string[]) => {
      const { skills } = (await json(folder.path, ['list', ...words])) as { skills: { name: string; origin: { kind: string } }[] };
      return skills.map(({ name, origin }) => `${name} ${origin.kind}`);
    };
    expect(await kinds('a.skill', 'store:store')).toEqual(['a archive', 'b storage']);
    expect(await kinds('store:store', 'a.skill')).toEqual(['a storage', 'b storage']);
    expect(await kinds('a.skill', 'store:store', 'skills')).toEqual(['a fs', 'b fs']);
  });

  it('AUT-1: an archive with a bad skill tells of it, and hides no other', async () => {
    const folder = await temporaryFolder();
    await folder.write({
      'x.zip': zipOf({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': 'no frontmatter', 'c/SKILL.md': skillMd('a'), 'd.txt': '' }),
    });
    const listed = await json(folder.path, ['list', 'x.zip']);
    expect(listed).toMatchObject({ skills: [{ name: 'a' }] });
    expect((listed['diagnostics'] as { code: string; severity: string }[]).map(({ code }) => code)).toContain('skill-duplicate');
    expect((listed['diagnostics'] as { severity: string }[]).some(({ severity }) => severity === 'error')).toBe(true);
    await folder.write({ 'empty.zip': zipOf({ 'readme.txt': 'x' }) });
    expect(await runCli(folder.path, ['list', 'empty.zip'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no skill in') });
  });

  it('AUT-1: tells on a terminal what is under way, and leaves no trace of it', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    await folder.write({ 'a.zip': zipOf({ 'a/SKILL.md': skillMd('a') }) });
    const { stderr } = await runCli(folder.path, ['list', 'a.zip'], { isTTY: true });
    expect(stderr).toBe('\r\u001B[KOpening a.zip…\r\u001B[KListing skills…\r\u001B[K');
    expect((await runCli(folder.path, ['list', 'a.zip'])).stderr).toBe('');
  });

  it('AUT-1: no output repeats a password or a token of an address (ATK-59)', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
    const server = createServer((_request, response) => response.writeHead(500).end('no')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const at = `127.0.0.1:${port}`;
    const words = [
      `http://me:s3cret@${at}`,
      `http://${at}/index.json?token=s3cret`,
      `mcp+http://me:s3cret@${at}/mcp`,
      `mcp+http://${at}/mcp?token=s3cret`,
      'ftp://me:s3cret@skills.example',
      'https://me:s3cret@',
      `https://me:s3cret@[${at}`,
    ];
    for (const word of words) {
      const listed = await runCli(folder.path, ['list', word, '--json']);
      expect([word, listed.code]).not.toEqual([word, 0]);
      expect(listed.stdout + listed.stderr, word).not.toContain('s3cret');
    }
    const target = await runCli(folder.path, ['publish', 'skills', '--to', 'ftp://me:s3cret@skills.example']);
    expect(target.code).not.toBe(0);
    expect(target.stdout + target.stderr).not.toContain('s3cret');
  });

  it('AUT-1: the first folder has a name', async () => {
    const folder = await temporaryFolder({ 'one/a/SKILL.md': skillMd('a'), 'two/a/SKILL.md': skillMd('a') });
    expect(await json(folder.path, ['list', 'one', 'two'])).toMatchObject({ skills: [{ origin: { label: 'one' } }] });
    expect(await json(folder.path, ['list', 'two', 'one'])).toMatchObject({ skills: [{ origin: { label: 'two' } }] });
  });

  it.each([
    ['a folder that is not there', ['list', 'missing'], 2, /Path does not exist: missing/],
    [
      'another protocol',
      ['list', 'ftp://example.com'],
      2,
      /cannot be opened\. Give a folder, an archive, plugin:\.\/folder, an http\(s\) URL/,
    ],
    ['a URL without a host', ['list', 'mcp+http:///'], 2, /has no address/],
    [
      'a command that is not there',
      ['list', 'mcp+stdio:/nowhere/to-be-found'],
      1,
      /source-unavailable.*to-be-found cannot be connected to/,
    ],
    ['a command with an open quote', ['list', 'mcp+stdio:node "x'], 2, /since a " is not closed/],
    ['an MCP server that is not there', ['list', 'mcp+http://127.0.0.1:1/mcp'], 1, /The MCP server 127\.0\.0\.1:1 cannot be connected to/],
    ['storage without credentials', ['list', 's3://bucket'], 2, /Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    ['a bucket without a name', ['list', 's3://'], 2, /cannot be opened/],
    ['storage that nobody published to', ['list', 'store:./skills'], 1, /error source-unavailable/],
    ['a file that is no source', ['list', 'notes.txt'], 2, /Not a directory, and no archive: notes\.txt/],
    ['an archive that is none', ['list', 'none.zip'], 1, /is neither a tar\.gz nor a zip/],
    ['a server that is not there', ['list', 'http://127.0.0.1:1/'], 1, /error source-unavailable/],
    ['a skill that is not there', ['show', 'refunds', 'skills'], 1, /No skill is named "refunds"\. There are: a\./],
    ['a skill that is nearly there', ['show', 'near', 'skills', 'more'], 1, /No skill is named "near"\. Did you mean: nearly\./],
    ['a broken skill', ['show', 'broken', 'skills', 'more'], 1, /error invalid-skill .*"broken" cannot be used\. .*description.*SKILL\.md/],
    ['a plugin that is not there', ['plugin', 'check', 'none'], 2, /There is no folder none/],
    ['a version that is not there', ['show', 'a@9', 'skills'], 1, /No skill is named "a@9"/],
  ] as const)('AUT-1: says what is wrong with %s', async (_, argv, code, message) => {
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'more/nearly/SKILL.md': skillMd('nearly'),
      'more/broken/SKILL.md': '---\nname: broken\n---\nNo description.\n',
      'notes.txt': '',
      'none.zip': 'no archive',
    });
    const result = await runCli(folder.path, argv);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('AUT-1: catalog prints exactly what a model gets, and what each skill costs', async () => {
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'skills/b/SKILL.md': `---\nname: b\ndescription: ${'Word after word, '.repeat(50)}use it in tests.\n---\nBody.\n`,
    });
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')] });
    for (const format of ['xml', 'markdown', 'json'] as const) {
      for (const maxTokens of [8000, 180]) {
        const { catalog } = await createSkillset({ provider, catalog: { format, maxTokens } }).open();
        const argv = ['catalog', 'skills', '--format', format, '--max-tokens', String(maxTokens)];
        const { code, stdout } = await runCli(folder.path, argv);
        expect({ code, stdout }).toEqual({ code: 0, stdout: `${catalog.text}\n` });
        const { skills, ...rest } = await json(folder.path, argv);
        expect(rest).toMatchObject({ text: catalog.text, tokens: catalog.tokens, cut: catalog.cut });
        const costs = skills as { name: string; tokens: number; cut: string }[];
        expect(costs.map(({ name, cut }) => [name, cut])).toEqual([
          ['a', 'whole'],
          ['b', maxTokens === 180 ? 'shortened' : 'whole'],
        ]);
        for (const { tokens } of costs) expect(tokens).toBeGreaterThan(5);
        expect(costs.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(catalog.tokens);
      }
    }
    const table = (await runCli(folder.path, ['catalog', 'skills', '--max-tokens', '180'])).stderr;
    expect(table).toMatch(/2 skills, about \d+ of 180 tokens; the budget cut 1\.\nskill +tokens\na +\d+ of \d+\nb +\d+ of \d+ +shortened/);
    const tool = await json(folder.path, ['catalog', 'skills', '--mode', 'tool-only']);
    expect(tool).toMatchObject({ text: expect.not.stringContaining('name="a"'), toolText: expect.stringContaining('name="a"') });
    expect(await runCli(folder.path, ['catalog', 'skills', '--max-tokens', '0'])).toMatchObject({ code: 2 });
  });

  it('AUT-1: doctor tells which places are searched, what shadows what, and what is hidden and why', async () => {
    const folder = await temporaryFolder({
      '.git/HEAD': '',
      '.agents/skills/a/SKILL.md': skillMd('a', 'disable-model-invocation: true'),
      '.agents/skills/broken/SKILL.md': '---\nname: broken\n---\nNo description.\n',
      'home/.claude/skills/a/SKILL.md': skillMd('a'),
      'home/.claude/skills/b/SKILL.md': skillMd('b', 'user-invocable: false\ntools: [refund]'),
    });
    const env = { HOME: folder.at('home') };
    const found = await json(folder.path, ['doctor', '--tools', 'search'], env);
    expect(found).toMatchObject({
      ok: false,
      places: [
        { path: folder.at('.agents/skills'), state: 'found', label: 'project', trusted: false, skills: ['a'] },
        { path: folder.at('.claude/skills'), state: 'missing' },
        { path: folder.at('home/.agents/skills'), state: 'missing' },
        { path: folder.at('home/.claude/skills'), state: 'found', label: 'user', skills: ['a', 'b'] },
      ],
      skills: [{ name: 'a' }, { name: 'b' }],
      shadowed: [{ code: 'skill-shadowed', skill: 'a' }],
      hidden: [
        { skill: 'broken', from: 'everyone', reason: expect.stringContaining('description') },
        { skill: 'a', from: 'the model', reason: 'disable-model-invocation is true' },
        { skill: 'b', from: 'people', reason: 'user-invocable is false' },
      ],
      missingTools: ['b needs the tool refund'],
    });
    const text = await runCli(folder.path, ['doctor'], { env });
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(
      /Places\n.*\.agents\/skills +project +1 skill +untrusted\n.*missing[\s\S]*Skills \(2\)[\s\S]*Shadowed\n[\s\S]*Hidden\nbroken +from everyone/,
    );
    await folder.remove('.agents/skills/broken');
    // What is the same for many is one row.
    const many = Array.from({ length: 110 }, (_, index) => [`many/b${index}/SKILL.md`, skillMd(`b${index}`, 'user-invocable: false')]);
    await folder.write(Object.fromEntries(many));
    const lines = async (...more: string[]) => (await runCli(folder.path, ['doctor', 'many', ...more])).stdout.split('\n');
    expect(await lines()).toEqual(
      expect.arrayContaining(['and 10 more. --verbose tells each of them.', 'b0 and 109 more  from people  user-invocable is false']),
    );
    expect((await lines('--verbose')).length).toBeGreaterThan(220);
    expect(await runCli(folder.path, ['doctor'], { env })).toMatchObject({ code: 0 });
    // Without sources, other commands read the same places.
    expect(await json(folder.path, ['list'], env)).toMatchObject({ skills: [{ name: 'a' }, { name: 'b' }] });
  });
});
