import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { digestOfSkill, sha256Hex, skillDigest } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { httpSkillProvider } from '../src/index.ts';
import { diskCache, exportStatic } from '../src/node.ts';
import { createSkillsHandler } from '../src/server.ts';
import { skillMdOf, tarGzOf } from './support/archives.ts';
import { archiveEntry, indexOf, Origin } from './support/origin.ts';

const skillMd =
  '\uFEFF---\r\nname: odd\r\ndescription: Use when: it breaks\r\nmetadata: { n: 1, list: [a] }  # kept\r\n---\r\n\r\nBody\r\n\r\n';
const single = { 'SKILL.md': skillMd };
const many = { ...single, 'a.bin': Uint8Array.of(0, 255, 13, 10), 'desktop.ini': 'mine', 'references/b.md': '\uFEFFb\r\n' };

function libraryOf(files: Readonly<Record<string, string | Uint8Array>>): SkillProvider {
  const { definition } = skillFromFiles(files);
  return fixedSkillProvider(definition === null ? [] : [definition]);
}

async function temporary(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'skill-http-raw-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('CON-2: a skill comes from the web as its author wrote it', () => {
  it.each([
    ['one file', single, 'auto'],
    ['an archive', many, 'auto'],
    ['single files', many, 'legacy'],
  ] as const)('SRC-5: as %s', async (_what, files, layout) => {
    const source = libraryOf(files);
    const handler = createSkillsHandler(source);
    const url = layout === 'auto' ? 'https://skills.example' : 'https://skills.example/.well-known/skills/index.json';
    const provider = httpSkillProvider({ url, fetch: handler });
    const file = await provider.readResource('odd', 'SKILL.md');
    const { digest, ...read } = file ?? {};
    if (layout === 'auto') expect(digest).toBe(await sha256Hex(skillMd));
    expect(read).toEqual({
      path: 'SKILL.md',
      bytes: new TextEncoder().encode(skillMd),
      size: file?.bytes.length,
      mediaType: 'text/markdown',
    });
    expect((await provider.readResource('odd', 'SKILL.md', { maxBytes: 4 }))?.bytes).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 0x2d));
    expect((await provider.getSkill('odd'))?.resources.map((resource) => resource.path)).toEqual(Object.keys(files).slice(1));
    const digests = await digestOfSkill(provider, 'odd');
    expect(digests?.digest).toBe(await skillDigest(files));
    expect(digests?.files).toEqual((await digestOfSkill(source, 'odd'))?.files);
    expect(await handler.diagnostics()).toEqual([]);
  });

  it('SRC-5: as files of a page host', async () => {
    const directory = await temporary();
    await exportStatic(libraryOf(many), directory);
    const provider = httpSkillProvider({
      url: 'https://cdn.example',
      fetch: async ({ url }) => new Response(await readFile(path.join(directory, decodeURIComponent(new URL(url).pathname)))),
    });
    expect((await digestOfSkill(provider, 'odd'))?.digest).toBe(await skillDigest(many));
    expect(await readFile(path.join(directory, '.well-known/skills/odd/SKILL.md'), 'utf8')).toBe(skillMd);
  });

  it('SRC-4: also out of a cache on disk, and from an archive that spells it skill.md', async () => {
    const packed = await tarGzOf([
      ['skill.md', skillMdOf('low')],
      ['a.md', 'A'],
    ]);
    const origin = new Origin()
      .put('/.well-known/agent-skills/index.json', indexOf([await archiveEntry('low', packed)]))
      .put('/.well-known/agent-skills/low.tar.gz', packed);
    const cache = diskCache({ directory: path.join(await temporary(), 'cache') });
    for (let round = 0; round < 2; round += 1) {
      const provider = httpSkillProvider({ url: 'https://skills.example', fetch: origin.fetch, cache, retries: 0 });
      expect(new TextDecoder().decode((await provider.readResource('low', 'SKILL.md'))?.bytes)).toBe(skillMdOf('low'));
      expect(await provider.readResource('low', 'skill.md')).toBeNull();
      expect((await provider.getSkill('low'))?.diagnostics.map(({ code }) => code)).toEqual(['skill-file-name']);
      origin.intercept = () => new Response(null, { status: 503 });
    }
  });

  it('SRC-5: and a skill in code as the canonical text', async () => {
    const code = new SkillRegistry({ skills: [{ name: 'a', description: 'Does a.', body: 'A.' }] });
    const provider = httpSkillProvider({ url: 'https://skills.example', fetch: createSkillsHandler(code) });
    expect((await digestOfSkill(provider, 'a'))?.files).toEqual((await digestOfSkill(code, 'a'))?.files);
  });

  it('SRC-5: a skill that is served under another name is refused, unless its SKILL.md may be written anew', async () => {
    const { definition } = skillFromFiles(single);
    const renamed = new SkillRegistry({ skills: [{ ...definition!, name: 'acme-odd' }] });
    const handler = createSkillsHandler(renamed);
    expect(await handler.diagnostics()).toMatchObject([
      { code: 'skill-not-published', skill: 'acme-odd', message: expect.stringMatching(/its name is "odd".*rewriteSkillMd/) },
    ]);
    const rewriting = createSkillsHandler(renamed, { rewriteSkillMd: true });
    const provider = httpSkillProvider({ url: 'https://skills.example', fetch: rewriting });
    expect(await provider.getSkill('acme-odd')).toMatchObject({ body: 'Body', description: 'Use when: it breaks' });
    expect(new TextDecoder().decode((await provider.readResource('acme-odd', 'SKILL.md'))?.bytes)).toMatch(/^---\nname: acme-odd\n/);
  });
});

describe('SRC-5: a provider that does not list everything', () => {
  const partial: SkillProvider = {
    ...libraryOf(single),
    listSkills: async () => ({
      ...(await libraryOf(single).listSkills()),
      diagnostics: [{ code: 'yaml-invalid', severity: 'error', message: 'It is no YAML.' }],
      complete: false,
    }),
  };

  it('is served, and told', async () => {
    const handler = createSkillsHandler(partial);
    expect((await handler.diagnostics()).map(({ code }) => code)).toEqual(['yaml-invalid', 'listing-incomplete']);
  });

  it('is not exported, unless that is meant', async () => {
    const directory = await temporary();
    await mkdir(path.join(directory, 'site'));
    await expect(exportStatic(partial, path.join(directory, 'site'))).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringMatching(/It is no YAML\..*allowIncomplete/),
    });
    const { files, diagnostics } = await exportStatic(partial, path.join(directory, 'site'), { allowIncomplete: true });
    expect(files.length).toBeGreaterThan(0);
    expect(diagnostics.map(({ code }) => code)).toContain('listing-incomplete');
    await writeFile(path.join(directory, 'unrelated'), '');
    await expect(exportStatic(partial, directory, { allowPartial: true } as never)).rejects.toMatchObject({ code: 'invalid-options' });
  });
});

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const here = existsSync(corpus);

/** The skills of a folder, each by all of its files; of those that share a name, the first. */
function skillsBelow(root: string): Map<string, { definition: SkillDefinition; files: Record<string, Uint8Array> }> {
  const isHidden = (file: string): boolean => file.split(path.sep).some((part) => part.startsWith('.') || part === 'node_modules');
  const folders = globSync('**/SKILL.md', { cwd: root })
    .filter((file) => !isHidden(file))
    .map((file) => path.dirname(file))
    .sort();
  const skills = new Map<string, { definition: SkillDefinition; files: Record<string, Uint8Array> }>();
  for (const folder of folders) {
    const inner = folders.filter((other) => other.startsWith(`${folder}/`)).map((other) => `${other.slice(folder.length + 1)}/`);
    const files: Record<string, Uint8Array> = {};
    for (const file of globSync('**/*', { cwd: path.join(root, folder) })) {
      if (isHidden(file) || inner.some((other) => file.startsWith(other)) || !lstatSync(path.join(root, folder, file)).isFile()) continue;
      files[file] = new Uint8Array(readFileSync(path.join(root, folder, file)));
    }
    const { definition } = skillFromFiles(files, { directoryName: path.basename(folder) });
    if (definition !== null && !skills.has(definition.name)) skills.set(definition.name, { definition, files });
  }
  return skills;
}

describe('SRC-4, SRC-5, CON-9: skills as their authors published them', () => {
  beforeEach((context) => context.skip(!here, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  it('come from a handler as they went in, byte for byte, or with a reason not at all', async () => {
    const skills = skillsBelow(corpus);
    const source = new SkillRegistry({ skills: [...skills.values()].map(({ definition }) => definition) });
    const handler = createSkillsHandler(source, { legacy: false, limits: { totalBytes: 2 ** 30 } });
    const provider = httpSkillProvider({ url: 'https://skills.example', fetch: handler, limits: { memoryBytes: 1 } });
    const there = new Set((await provider.listSkills()).skills.map(({ name }) => name));
    const refused = new Set((await handler.diagnostics()).filter(({ code }) => code === 'skill-not-published').map(({ skill }) => skill));
    let same = 0;
    for (const [name, { files }] of skills) {
      if (!there.has(name)) {
        expect(refused, name).toContain(name);
        continue;
      }
      expect([name, (await digestOfSkill(provider, name))?.digest]).toEqual([name, await skillDigest(files)]);
      same += 1;
    }
    console.log(`skill-http: ${same} skills came back the same; ${refused.size} were not published, each with a reason.`);
    expect(same).toBeGreaterThan(500);
    expect(refused.size).toBeLessThan(same * 0.02);
  });
});
