import { join } from 'node:path';
import type { PackedPackage } from '../../tools/pack-packages.ts';

/** An entry point of a package. */
export interface EntryPoint {
  /** As it is imported: `@repertoire/skills-core/skill-md`. */
  readonly name: string;
  /** Whether it has code; one without only declares types. */
  readonly hasCode: boolean;
}

/** Every entry point of the packages. */
export function entryPoints(packages: readonly PackedPackage[]): EntryPoint[] {
  return packages.flatMap(({ manifest }) =>
    Object.entries(manifest.exports ?? {})
      .filter(([path]) => path !== './package.json')
      .map(([path, target]) => ({ name: join(manifest.name, path), hasCode: typeof target === 'string' || 'default' in target })),
  );
}

/** The entry points that load outside of a test run: the test runner's own package only loads inside one. */
export function loadableEntryPoints(packages: readonly PackedPackage[]): string[] {
  return entryPoints(packages).flatMap(({ name, hasCode }) => (hasCode && !name.endsWith('/vitest') ? [name] : []));
}

/** Code of a list of the entry points that export something. */
export function loadingCode(entries: readonly string[], how: 'import' | 'require'): string {
  const names = entries.map((entry) => {
    const loaded = how === 'import' ? `await import('${entry}')` : `require('${entry}')`;
    return `Object.keys(${loaded}).length > 0 && '${entry}'`;
  });
  return `[\n${names.join(',\n')}\n]`;
}
