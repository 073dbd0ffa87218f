import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages, repositoryRoot, workspacePackages } from '../../tools/workspace.ts';

describe.each(publishedPackages())('package.json of $path', ({ path, directory, manifest }) => {
  it('says what every published package says', () => {
    expect(manifest).toMatchObject({
      name: `@repertoire/${path.slice('packages/'.length)}`,
      description: expect.stringMatching(/^[A-Z].+\.$/),
      license: 'MIT',
      repository: { type: 'git', directory: path },
      type: 'module',
      sideEffects: false,
      // What is run is committed, since a package manager links it before anything is built.
      files: manifest.bin === undefined ? ['dist', 'docs', 'SKILL.md'] : ['bin', 'dist', 'docs', 'SKILL.md'],
      engines: { node: '>=22.19' },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest).not.toHaveProperty('main');
    expect(manifest).not.toHaveProperty('types');
  });

  it('has a README that names it', () => {
    const text = readFileSync(join(directory, 'README.md'), 'utf8');
    expect(text).toMatch(new RegExp(`^# ${manifest.name}$`, 'm'));
  });

  it('exports each entry as source, types and code, and nothing by a pattern', () => {
    const { './package.json': own, ...entries } = manifest.exports ?? {};
    expect(own).toBe('./package.json');
    expect(Object.keys(entries), 'S3-59').toContain('.');
    for (const [entry, target] of Object.entries(entries)) {
      const name = entry === '.' ? 'index' : entry.slice('./'.length);
      expect(entry).not.toContain('*');
      // An entry may be types alone: those of modules that a bundler makes, or what other entries share.
      const isDeclared = existsSync(join(directory, 'src', `${name}.d.ts`));
      const source = join(directory, 'src', `${name}${isDeclared ? '.d' : ''}.ts`);
      const isCode = !isDeclared && /^export (?!type )/m.test(readFileSync(source, 'utf8'));
      // The order counts: a resolver takes the first that it knows.
      expect(Object.entries(target)).toEqual([
        ['@repertoire/source', `./src/${name}${isDeclared ? '.d' : ''}.ts`],
        ['types', `./dist/${name}.d.ts`],
        ...(isCode ? [['default', `./dist/${name}.js`]] : []),
      ]);
    }
  });

  it('builds each module that it imports by a name of its own', () => {
    const { imports = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
      readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    };
    const config = readFileSync(join(directory, 'tsdown.config.ts'), 'utf8');
    const builds = (file: string): boolean => new RegExp(`'src/(?:\\w+/)*${file}\\.ts'`).test(config);
    // In the package, it is a file of the build, or a dependency where that has no such file.
    const wrong = Object.entries(imports).filter(([name, targets]) => {
      const built = Object.values(targets).filter((target) => target.startsWith('./dist/'));
      return built.join() !== `./dist/${name.slice('#'.length)}.js` || !builds(name.slice('#'.length));
    });
    expect(wrong).toEqual([]);
  });

  it('takes versions from the catalog and siblings from the workspace', () => {
    const { dependencies, devDependencies, peerDependencies = {} } = manifest;
    const siblings = Object.entries(peerDependencies).filter(([name]) => name.startsWith('@repertoire/'));
    const own = [...Object.entries({ ...dependencies, ...devDependencies }), ...siblings];
    // What packages share behind `/internal` changes in any release, so each needs the others of its own.
    const loose = own.filter(([name, range]) => range !== (name.startsWith('@repertoire/') ? 'workspace:*' : 'catalog:'));
    expect(loose).toEqual([]);
  });
});

describe.each(['examples/*', 'benchmarks', 'e2e'].flatMap((pattern) => workspacePackages(pattern)))(
  'package.json of $path',
  ({ manifest }) => {
    it('is never published', () => {
      expect(manifest).toMatchObject({ private: true, type: 'module', name: expect.stringMatching(/^@repertoire\//) });
    });
  },
);

it('every package has a license to ship', () => {
  // pnpm puts the one at the root into each archive.
  expect(existsSync(join(repositoryRoot, 'LICENSE'))).toBe(true);
});
