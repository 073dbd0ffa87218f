import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outdatedPackagePages } from '../../tools/package-pages.ts';
import { packageTable } from '../../tools/package-table.ts';
import { publishedPackages, repositoryRoot } from '../../tools/workspace.ts';
import { importTable } from './import-table.ts';
import { trackedFiles } from './tracked-files.ts';

const names = publishedPackages().map(({ path }) => path.slice('packages/'.length));

it('the table of packages has every published package, and so has the import table', () => {
  expect(Object.keys(packageTable).toSorted()).toEqual(names);
  expect(Object.keys(importTable).toSorted()).toEqual(names);
});

it.each(publishedPackages())('the table of packages has every entry point of $path with code', ({ path, manifest }) => {
  const withCode = Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
    typeof target !== 'string' && 'default' in target ? [entry.slice('./'.length)] : [],
  );
  expect(Object.keys(packageTable[path.slice('packages/'.length)]?.entries ?? {}).toSorted()).toEqual(withCode.toSorted());
});

it('no package needs one of a ring further out, except for the command', () => {
  const rings = ['stable', 'beta', 'preview'];
  const ringOf = (name: string): number => rings.indexOf(packageTable[name.replace('@repertoire/', '')]?.ring ?? '');
  const needs = publishedPackages()
    .filter(({ manifest }) => manifest.name !== '@repertoire/cli')
    .flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}).map((name) => [manifest.name, name] as const))
    .filter(([, name]) => ringOf(name) !== -1);
  expect(needs.length).toBeGreaterThan(10);
  expect(needs.filter(([from, to]) => ringOf(to) > ringOf(from))).toEqual([]);
});

it('no file of a ring imports one further out, tests included, except for the command and what signs or finds for a test', () => {
  const rings = ['stable', 'beta', 'preview'];
  const ringOf = (name: string): number => rings.indexOf(packageTable[name]?.ring ?? '');
  const found = trackedFiles()
    .filter((path) => /^packages\/(?!cli\/)[^/]+\/(?:src|test)\/.*\.tsx?$/.test(path))
    .flatMap((path) => {
      const own = path.split('/')[1] ?? '';
      const imported = readFileSync(join(repositoryRoot, path), 'utf8').matchAll(/^(?:import|export|\} from) ?.*'@repertoire\/([a-z-]+)/gm);
      return [...new Set([...imported].map(([, name = '']) => name))].flatMap((name) =>
        ringOf(name) > ringOf(own) ? [`${path} ${name}`] : [],
      );
    });
  // This list gets shorter, and never longer.
  expect(found.toSorted()).toEqual([
    'packages/skill-http/test/level-one.test.ts skill-trust',
    'packages/skill-http/test/publish.test.ts skill-trust',
    'packages/skill-storage/test/corpus.test.ts skill-trust',
    'packages/skill-storage/test/publishing.test.ts skill-trust',
    'packages/skills-testkit/src/routing/routed-library.ts skill-search',
  ]);
});

it('documents, READMEs and manifests say what the table of packages says', () => {
  expect([...outdatedPackagePages().keys()], 'Run: node tools/package-pages.ts --update').toEqual([]);
});
