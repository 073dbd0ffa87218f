import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { publishedPackages } from '../../tools/workspace.ts';

describe.each(publishedPackages())('the public API of $path', ({ directory, manifest }) => {
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([, target]) =>
    typeof target === 'string' ? [] : [target['@repertoire/source'] ?? ''],
  );

  it.each(entries)('%s documents everything that it exports', (entry) => {
    const { own, reexported } = exportsOf(join(directory, entry));
    const bare = [
      ...own.filter(({ documented }) => !documented).map(({ name }) => name),
      ...reexported
        .filter(({ name, from }) => !isDocumented(join(directory, entry, '..', from), name))
        .map(({ name, from }) => `${name} of ${from}`),
    ];
    expect(bare).toEqual([]);
  });
});

interface ModuleExports {
  readonly own: readonly { readonly name: string; readonly documented: boolean }[];
  readonly reexported: readonly { readonly name: string; readonly from: string }[];
}

function isDocumented(file: string, name: string): boolean {
  const { own, reexported } = exportsOf(file);
  const further = reexported.find((candidate) => candidate.name === name);
  if (further !== undefined) return isDocumented(join(file, '..', further.from), name);
  return own.find((candidate) => candidate.name === name)?.documented === true;
}

/** What a module exports. Something is documented where a docstring ends right above its declaration. */
function exportsOf(file: string): ModuleExports {
  const text = readFileSync(file, 'utf8');
  const { module } = parseSync(file, text);
  const found = module.staticExports.flatMap(({ start, entries }) =>
    entries.map((entry) => ({
      // What is renamed on its way out keeps the docstring of its first name.
      name: entry.importName.name ?? entry.localName.name ?? entry.exportName.name ?? '',
      from: entry.moduleRequest?.value,
      documented: text
        .slice(0, start)
        .replace(/\n\/\/ oxlint-disable-next-line.*\n$/, '')
        .trimEnd()
        .endsWith('*/'),
    })),
  );
  return {
    own: found.filter(({ from }) => from === undefined),
    reexported: found.flatMap(({ name, from }) => (from?.startsWith('.') === true ? [{ name, from }] : [])),
  };
}
