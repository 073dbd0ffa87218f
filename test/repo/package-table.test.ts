import { expect, it } from 'vitest';
import { outdatedPackagePages } from '../../tools/package-pages.ts';
import { packageTable } from '../../tools/package-table.ts';
import { publishedPackages } from '../../tools/workspace.ts';
import { importTable } from './import-table.ts';

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

it('documents, READMEs and manifests say what the table of packages says', () => {
  expect([...outdatedPackagePages().keys()], 'Run: node tools/package-pages.ts --update').toEqual([]);
});
