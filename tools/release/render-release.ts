import type { ReleasePlan } from './release-plan.ts';

/** What would be published, for people. */
export function renderRelease({ packages, pendingChangesets }: ReleasePlan): string {
  const width = Math.max(0, ...packages.map(({ name }) => name.length));
  return [
    'Packages:',
    ...packages.flatMap(({ name, version, bytes, files }) => [
      `  ${name.padEnd(width)}  ${version}  ${kibibytes(bytes)}  ${files.length} files`,
      ...summaries(files).map((line) => `    ${line}`),
    ]),
    pendingChangesets.length === 0 ? 'No changeset is pending.' : `Pending changesets: ${pendingChangesets.join(', ')}`,
  ].join('\n');
}

/** Code by the folder that it lies in; everything else by name. */
function summaries(files: readonly string[]): string[] {
  const code = files.filter((file) => file.startsWith('dist/'));
  const rest = files.filter((file) => !file.startsWith('dist/'));
  return [...rest, `dist/ (${code.length})`];
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1_024).toFixed(1)} KiB`;
}
