import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, workspacePackages } from '../../tools/workspace.ts';
import { importOverrides } from './import-overrides.ts';
import { importTable, type ImportRule } from './import-table.ts';
import { scanImports } from './scan-imports.ts';

const packages = workspacePackages('packages/*').map((entry) => ({ ...entry, folder: basename(entry.path) }));

describe('the import table', () => {
  it('has a line for every package, and no package twice or in vain', () => {
    expect(Object.keys(importTable).toSorted()).toEqual(packages.map(({ folder }) => folder).toSorted());
  });

  it.each(packages)('$folder imports what the table allows, and nothing else', ({ folder, directory }) => {
    const files = globSync('src/**/*.ts', { cwd: directory }).toSorted();
    const broken = files.flatMap((file) => brokenImports(folder, file, readFileSync(join(directory, file), 'utf8')));
    expect(broken).toEqual([]);
  });

  it.each(packages)('$folder depends on what the table allows, and declares what it imports', ({ folder, directory, manifest }) => {
    const rule = ruleOf(folder);
    const allowed = [...rule.any, ...(rule.only ?? []).flatMap(({ imports }) => imports)];
    const declared = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})];
    const imported = globSync('src/**/*.ts', { cwd: directory })
      .flatMap((file) => scanImports(file, readFileSync(join(directory, file), 'utf8')))
      .flatMap(({ specifier }) => (specifier === null || isOwn(specifier) || isBuiltin(specifier) ? [] : [packageOf(specifier)]));
    expect({
      forbidden: declared.filter((name) => !allowed.includes(name)),
      undeclared: [...new Set(imported)].filter((name) => !declared.includes(name)),
    }).toEqual({ forbidden: [], undeclared: [] });
  });

  it('a source imports no source, an adapter no adapter, and the core nothing of ours', () => {
    const ours = (folder: string): string[] => ruleOf(folder).any.filter((name) => name.startsWith('@repertoire/'));
    expect(ours('skills-core'), 'S3-44').toEqual([]);
    for (const folder of Object.keys(importTable).filter((name) => /^(skill|adapter)-|^skills-testkit$/.test(name))) {
      expect(ours(folder), folder).toEqual(['@repertoire/skills-core']);
    }
  });

  it('is what lint enforces', () => {
    const config = JSON.parse(readFileSync(join(repositoryRoot, '.oxlintrc.json'), 'utf8')) as { overrides: { rules: object }[] };
    expect(config.overrides.filter(({ rules }) => 'no-restricted-imports' in rules)).toEqual(importOverrides());
  });

  it.each([
    ['a sibling', `import { x } from '@repertoire/skill-fs';`],
    ['a type of a sibling', `export type { X } from '@repertoire/skill-fs';`],
    ['an import type', `export type X = import('@repertoire/skill-fs').X;`],
    ['Node', `import { readFile } from 'node:fs/promises';`],
    ['Node without its prefix', `const fs = await import('fs');`],
    ['yaml outside the format', `import { parse } from 'yaml';`],
    ['a path that leaves the package', `import { x } from '../../skill-fs/src/index.ts';`],
    ['a computed path', `export const load = (path: string) => import(path);`],
    ['an export of everything', `export * from './skill.ts';`],
  ])('notices %s in the core', (_what, text) => {
    expect(brokenImports('skills-core', 'src/index.ts', text)).toHaveLength(1);
  });

  it('lets one file of the command line import what a person names, and no other', () => {
    const text = 'export const load = (path: string) => import(path);';
    expect(Object.values(importTable).flatMap(({ computed = [] }) => computed)).toEqual([
      'src/agent/import-host-module.ts',
      'src/model/open-model.ts',
    ]);
    expect(brokenImports('cli', 'src/agent/import-host-module.ts', text)).toEqual([]);
    expect(brokenImports('cli', 'src/agent/open-declarative.ts', text)).toHaveLength(1);
  });

  it('lets the format use yaml', () => {
    expect(brokenImports('skills-core', 'src/format/parse.ts', `import { parse } from 'yaml';`)).toEqual([]);
  });
});

function ruleOf(folder: string): ImportRule {
  const rule = importTable[folder];
  if (rule === undefined) throw new Error(`packages/${folder} has no line in the import table.`);
  return rule;
}

function brokenImports(folder: string, file: string, text: string): string[] {
  const rule = ruleOf(folder);
  return scanImports(file, text).flatMap(({ specifier, line, everything }) => {
    const problem = problemOf(rule, file, specifier, everything);
    return problem === undefined ? [] : [`packages/${folder}/${file}:${line}: ${problem}`];
  });
}

function problemOf(rule: ImportRule, file: string, specifier: string | null, everything: boolean): string | undefined {
  const applies = (starts: readonly string[] = []): boolean => starts.some((start) => file.startsWith(start));
  if (everything) return `\`export * from '${specifier}'\`: name what is exported.`;
  if (specifier === null) return rule.computed?.includes(file) === true ? undefined : 'A computed import: no one can tell what it brings.';
  if (specifier.startsWith('.')) {
    return join(file, '..', specifier).startsWith('src/') ? undefined : `${specifier} lies outside the package's sources.`;
  }
  if (isBuiltin(specifier)) return applies(rule.node) && specifier.startsWith('node:') ? undefined : `${specifier} is Node's.`;
  const allowed = [...rule.any, ...(rule.only ?? []).filter(({ under }) => applies(under)).flatMap(({ imports }) => imports)];
  return allowed.includes(packageOf(specifier)) ? undefined : `${specifier} is not in the import table.`;
}

/** A file of the package, by its path or by the field `imports` of its manifest. */
function isOwn(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('#');
}

/** `@scope/name/sub` belongs to `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
