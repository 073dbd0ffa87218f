import { importTable, type ImportRule } from './import-table.ts';

/** One override of `.oxlintrc.json`. */
export interface LintOverride {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

/** The import table as overrides for oxlint: an allow-list for each package, and a wider one for the files that may do more. */
export function importOverrides(): LintOverride[] {
  return Object.entries(importTable).flatMap(([folder, rule]) => {
    const built = rule.node?.includes('src/') ? ['node:*'] : [];
    return [
      override([`packages/${folder}/src/**`], [...rule.any, ...built]),
      ...(rule.only ?? []).map(({ under, imports }) =>
        override(
          under.map((path) => `packages/${folder}/${path.endsWith('/') ? `${path}**` : path}`),
          [...rule.any, ...imports, ...built],
        ),
      ),
      ...nodeEntries(folder, rule),
    ];
  });
}

function nodeEntries(folder: string, rule: ImportRule): LintOverride[] {
  const paths = (rule.node ?? []).filter((path) => path !== 'src/');
  const files = paths.map((path) => `packages/${folder}/${path}${path.endsWith('/') ? '**' : ''}`);
  // The last override of a file is the one that counts, so it repeats what the same files may import besides.
  const imports = (rule.only ?? []).filter(({ under }) => paths.every((path) => under.includes(path))).flatMap((entry) => entry.imports);
  return files.length === 0 ? [] : [override(files, [...rule.any, ...imports, 'node:*'])];
}

function override(files: readonly string[], allowed: readonly string[]): LintOverride {
  const group = ['*', '!./**', '!../**', ...allowed.flatMap((name) => [`!${name}`, `!${name}/**`])];
  const message = 'The import table (test/repo/import-table.ts) does not allow this here.';
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] } };
}
