import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepared } from './prepared.ts';

it('archives hold their code, their license, the pages about them, and none of their sources', () => {
  expect(prepared().packages).not.toEqual([]);
  for (const { manifest, files } of prepared().packages) {
    expect(files, manifest.name).toEqual(
      expect.arrayContaining(['package.json', 'LICENSE', 'SKILL.md', 'docs/README.md', 'dist/index.js', 'dist/index.d.ts']),
    );
    const programs = Object.values((manifest['bin'] ?? {}) as Record<string, string>).map((path) => path.replace(/^\.\//, ''));
    expect(files, manifest.name).toEqual(expect.arrayContaining(programs));
    expect(
      files.filter(
        (file) => !programs.includes(file) && !/^(?:dist\/|docs\/[\w/-]+\.md$|package\.json$|LICENSE$|README\.md$|SKILL\.md$)/.test(file),
      ),
      manifest.name,
    ).toEqual([]);
  }
});

it('each package needs exactly its own release of the others, since any release may change what they share', () => {
  const { project, packages } = prepared();
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest['version']]));
  const needed = packages.flatMap(({ manifest: { name } }) => {
    const packed = JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')) as Partial<
      Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>
    >;
    const all = Object.entries({ ...packed.dependencies, ...packed.peerDependencies });
    return all.flatMap(([other, range]) => (versions.has(other) ? [{ name, other, range }] : []));
  });
  expect(needed.length).toBeGreaterThan(40);
  expect(needed).toEqual(needed.map(({ name, other }) => ({ name, other, range: versions.get(other) })));
});
