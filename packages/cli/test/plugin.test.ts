import fs from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { skillsPlugin, type SkillsPluginOptions } from '@repertoire/cli/plugin';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillLock } from '@repertoire/skill-trust/lock';
import { SkillRegistry, type SkillDefinition, type SkillLock } from '@repertoire/skills-core';
import { rspack } from '@rspack/core';
import { build as buildWithEsbuild, context as esbuildContext } from 'esbuild';
import { build as buildWithVite, createServer, isRunnableDevEnvironment } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

/** Node's own loader: Vitest would run the file through Vite. */
const nodeRequire = createRequire(import.meta.url);

interface BuiltModule {
  readonly skills: readonly SkillDefinition[];
  readonly more?: readonly SkillDefinition[];
  readonly load: () => Promise<SkillLock>;
}

const files = {
  'package.json': '{"type":"module"}',
  'entry.js': `export { skills } from 'virtual:repertoire-skills';\nexport const load = () => import('./lock.js').then((module) => module.lock);`,
  'lock.js': `export { lock } from 'virtual:repertoire-skills';`,
  'skills/a/SKILL.md': skillMd('a', '', 'Body of a, only here.'),
  'skills/a/references/guide.md': 'Guide of a, only here.\n',
  'skills/a/assets/every.bin': Uint8Array.from({ length: 256 }, (_, index) => index),
  'skills/b/SKILL.md': skillMd('b', '', 'Body of b, only here.'),
};

const bundlers: Readonly<Record<string, (folder: TemporaryFolder, roots: string[], more?: string[]) => Promise<unknown>>> = {
  esbuild: (folder, roots, more) =>
    buildWithEsbuild({
      absWorkingDir: folder.path,
      entryPoints: ['entry.js'],
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: 'out',
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
      plugins: pluginsFor(skillsPlugin.esbuild, folder, roots, more),
    }),
  vite: (folder, roots, more) =>
    buildWithVite({
      root: folder.path,
      configFile: false,
      logLevel: 'silent',
      build: { outDir: 'out', minify: false, lib: { entry: 'entry.js', formats: ['es'], fileName: () => 'entry.mjs' } },
      plugins: pluginsFor(skillsPlugin.vite, folder, roots, more),
    }),
  rspack: async (folder, roots, more) => {
    const compiler = rspack({
      context: folder.path,
      mode: 'production',
      target: 'node',
      entry: './entry.js',
      output: {
        path: folder.at('out'),
        module: true,
        filename: 'entry.mjs',
        library: { type: 'module' },
        chunkFormat: 'module',
        chunkLoading: 'import',
      },
      plugins: pluginsFor(skillsPlugin.rspack, folder, roots, more),
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    compiler.run((error, stats) => {
      const errors = stats?.toJson({ all: false, errors: true }).errors ?? [];
      if (error) reject(error);
      else if (errors.length > 0) reject(new Error(errors.map(({ message }) => message).join('\n')));
      else resolve();
    });
    await promise;
    await new Promise((closed) => compiler.close(closed));
  },
};

function pluginsFor<Plugin>(
  plugin: (options: SkillsPluginOptions) => Plugin,
  { path: cwd }: TemporaryFolder,
  roots: string[],
  more: string[] | undefined,
): Plugin[] {
  const second = more === undefined ? [] : [plugin({ roots: more, cwd, module: 'virtual:repertoire-skills/more' })];
  return [plugin({ roots, cwd }), ...second];
}

/** What watches a folder from now on. */
function watchersBelow(folder: string): { readonly closed: boolean }[] {
  const watchers: { closed: boolean }[] = [];
  const { watch } = fs;
  const spy = ((watched: string, ...more: unknown[]) => {
    const watcher = Reflect.apply(watch, fs, [watched, ...more]) as fs.FSWatcher;
    const entry = { closed: false };
    if (watched.startsWith(folder)) watchers.push(entry);
    watcher.once('close', () => (entry.closed = true));
    return watcher;
  }) as typeof watch;
  fs.watch = spy;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.watch = watch;
    syncBuiltinESMExports();
  });
  return watchers;
}

async function output(folder: TemporaryFolder): Promise<{ module: BuiltModule; entry: string; texts: string[] }> {
  const names = await readdir(folder.at('out'), { recursive: true });
  const texts = await Promise.all(names.filter((name) => /\.m?js$/.test(name)).map((name) => readFile(folder.at('out', name), 'utf8')));
  const entry = await readFile(folder.at('out/entry.mjs'), 'utf8');
  return { module: nodeRequire(folder.at('out/entry.mjs')) as BuiltModule, entry, texts };
}

describe.each(Object.keys(bundlers))('SRC-9: skillsPlugin in %s', (name) => {
  const build = bundlers[name]!;

  it('makes a module of folders, with bodies and files in chunks of their own', async () => {
    const folder = await temporaryFolder(files);
    await build(folder, ['skills']);
    const { module, entry, texts } = await output(folder);
    for (const content of ['Body of a, only here.', 'Guide of a, only here.', 'Body of b, only here.']) {
      expect(
        texts.filter((text) => text.includes(content)),
        content,
      ).toHaveLength(1);
      expect(entry).not.toContain(content);
    }
    const expected = await createSkillLock(fileSystemSkillProvider({ roots: [folder.at('skills')], label: 'code' }));
    expect(await createSkillLock(new SkillRegistry({ skills: module.skills }))).toEqual(expected);
    expect(await module.load()).toEqual(expected);
  });

  it('leaves out a lock that nobody imports', async () => {
    const folder = await temporaryFolder({ ...files, 'entry.js': `export { skills } from 'virtual:repertoire-skills';` });
    await build(folder, ['skills']);
    expect((await output(folder)).texts.filter((text) => text.includes('lockVersion'))).toHaveLength(0);
  });

  it('makes a module each of several sets', async () => {
    const folder = await temporaryFolder({
      ...files,
      'more/c/SKILL.md': skillMd('c', '', 'Body of c, only here.'),
      'entry.js': `export { skills } from 'virtual:repertoire-skills';\nexport { skills as more } from 'virtual:repertoire-skills/more';`,
    });
    await build(folder, ['skills'], ['more']);
    const { module, texts } = await output(folder);
    expect(await createSkillLock(new SkillRegistry({ skills: [...module.skills, ...(module.more ?? [])] }))).toMatchObject({
      skills: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
    expect(texts.filter((text) => text.includes('Body of c, only here.'))).toHaveLength(1);
  });

  it('fails the build for what cannot be carried, and says what it is', async () => {
    const folder = await temporaryFolder({
      ...files,
      'skills/bad/SKILL.md': '---\nname: bad\n---\nBody',
      'skills/c/SKILL.md': skillMd('a'),
    });
    await expect(build(folder, ['skills'])).rejects.toThrow(/There is no description[\s\S]*has the same name and version/);
    await expect(build(folder, ['missing'])).rejects.toThrow(/missing" does not exist/);
  });
});

it('SRC-9: skillsPlugin serves a chunk to a bundler that has the module in a cache', async () => {
  const folder = await temporaryFolder(files);
  await bundlers['esbuild']!(folder, ['skills']);
  const name = (await folder.list('out')).map((file) => /^([0-9a-f]{20})-/.exec(file)?.[1]).find((digest) => digest !== undefined);
  const again = await temporaryFolder({
    ...files,
    'entry.js': `import { content } from 'virtual:repertoire-skills/${name}.mjs';\nexport { content };`,
  });
  await bundlers['esbuild']!(again, ['skills']);
  expect((nodeRequire(again.at('out/entry.mjs')) as { content: () => unknown }).content()).toBeTruthy();
  await again.write({ 'entry.js': `export * from 'virtual:repertoire-skills/00000000000000000000.mjs';` });
  await expect(bundlers['esbuild']!(again, ['skills'])).rejects.toThrow(/The skills changed\. Build again\./);
});

it('SRC-9: skillsPlugin says that it needs roots', () => {
  expect(() => skillsPlugin.vite({ roots: [] })).toThrow(/There are no roots\. Name the folders/);
});

describe('SRC-9: skillsPlugin while a bundler watches', () => {
  it('esbuild builds again after a change in any file of a skill', async () => {
    const folder = await temporaryFolder(files);
    const builds: string[] = [];
    const context = await esbuildContext({
      absWorkingDir: folder.path,
      entryPoints: ['entry.js'],
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
      plugins: [
        skillsPlugin.esbuild({ roots: ['skills'], cwd: folder.path }),
        {
          name: 'seen',
          setup: ({ onEnd }) =>
            onEnd(({ errors, outputFiles }) => void builds.push(errors.length > 0 ? 'failed' : (outputFiles?.[0]?.text ?? ''))),
        },
      ],
    });
    await context.watch();
    await expect.poll(() => builds.length).toBe(1);
    await folder.write({ 'skills/a/references/guide.md': 'Another guide.\n' });
    await expect.poll(() => builds.at(-1)).toContain('Another guide.');
    // A skill that is broken and mended again.
    await folder.write({ 'skills/a/SKILL.md': '---\nname: a\n---\nBody' });
    await expect.poll(() => builds.at(-1)).toBe('failed');
    await folder.write({ 'skills/a/SKILL.md': skillMd('a', '', 'Mended.') });
    await expect.poll(() => builds.at(-1)).toContain('Mended.');
    // A file that is too large, and is made smaller.
    await folder.write({ 'skills/a/references/guide.md': 'long '.repeat(2 ** 18) });
    await expect.poll(() => builds.at(-1)).toBe('failed');
    await folder.write({ 'skills/a/references/guide.md': 'A short guide.\n' });
    await expect.poll(() => builds.at(-1)).toContain('A short guide.');
    await context.dispose();
  });

  it('Vite serves a new skill without a restart', async () => {
    const folder = await temporaryFolder(files);
    const server = await createServer({
      root: folder.path,
      configFile: false,
      logLevel: 'silent',
      cacheDir: folder.at('cache'),
      server: { middlewareMode: true, ws: false },
      plugins: [skillsPlugin.vite({ roots: ['skills'], cwd: folder.path })],
    });
    try {
      const environment = server.environments['ssr'];
      if (environment === undefined || !isRunnableDevEnvironment(environment)) throw new Error('Vite has no runnable environment.');
      const names = async (): Promise<string[]> => {
        const { skills } = await environment.runner.import<BuiltModule>(path.join(folder.path, 'entry.js'));
        return skills.map((skill) => skill.name);
      };
      expect(await names()).toEqual(['a', 'b']);
      const { skills } = await environment.runner.import<BuiltModule>(path.join(folder.path, 'entry.js'));
      expect((await new SkillRegistry({ skills }).getSkill('a'))?.body).toBe('Body of a, only here.');
      await folder.write({ 'skills/c/SKILL.md': skillMd('c') });
      await expect.poll(names).toEqual(['a', 'b', 'c']);
    } finally {
      await server.close();
    }
  });

  it.each([true, false])('Vite ends the watching with its server (middlewareMode: %s)', async (middlewareMode) => {
    const folder = await temporaryFolder(files);
    const watchers = watchersBelow(folder.at('skills'));
    const server = await createServer({
      root: folder.path,
      configFile: false,
      logLevel: 'silent',
      cacheDir: folder.at('cache'),
      server: { middlewareMode, ws: false, watch: null },
      plugins: [skillsPlugin.vite({ roots: ['skills'], cwd: folder.path })],
    });
    await expect.poll(() => watchers.map(({ closed }) => closed)).toContain(false);
    await server.close();
    await expect.poll(() => watchers.map(({ closed }) => closed)).not.toContain(false);
  });
});
