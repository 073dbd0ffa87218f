import { importTable, type ImportRule } from './import-table.ts';

/** One override of `.oxlintrc.json`. */
export interface LintOverride {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

/** The import table as overrides for oxlint: an allow-list for each package, and a wider one for the files that may do more. */
export function importOverrides(): LintOverride[] {
  return Object.entries(importTable).flatMap(([folder, rule]) => [
    override([`packages/${folder}/src/**`], [...rule.any, ...(rule.node?.includes('src/') ? ['node:*'] : [])]),
    ...(rule.only ?? []).map(({ under, imports }) =>
      override(
        under.map((path) => `packages/${folder}/${path.endsWith('/') ? `${path}**` : path}`),
        [...rule.any, ...imports],
      ),
    ),
    ...nodeEntries(folder, rule),
  ]);
}

function nodeEntries(folder: string, rule: ImportRule): LintOverride[] {
  const files = (rule.node ?? [])
    .filter((path) => path !== 'src/')
    .map((path) => `packages/${folder}/${path}${path.endsWith('/') ? '**' : ''}`);
  return files.length === 0 ? [] : [override(files, [...rule.any, 'node:*'])];
}

function override(files: readonly string[], allowed: readonly string[]): LintOverride {
  const group = ['*', '!./**', '!../**', ...allowed.flatMap((name) => [`!${name}`, `!${name}/**`])];
  const message = 'The import table (test/repo/import-table.ts) does not allow this here.';
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] } };
}
