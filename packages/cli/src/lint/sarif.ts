import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LintRule } from './lint-rule.ts';
import type { LintResult } from './judge-findings.ts';

/** A SARIF 2.1.0 log for code scanning. Paths inside of `cwd` are relative to it. */
export function sarifOf(results: readonly LintResult[], rules: readonly LintRule[], cwd: string, version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'repertoire',
            version,
            rules: rules.map(({ id, summary, severity, kind }) => ({
              id,
              shortDescription: { text: summary },
              defaultConfiguration: { level: severity, enabled: kind === 'correctness' },
              properties: { tags: [kind] },
            })),
          },
        },
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(cwd).href.replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results: results.map(({ rule, skill, severity, file: inner, diagnostic: { message, fix, path: file = '', line, column } }) => ({
          ruleId: rule.id,
          ruleIndex: rules.indexOf(rule),
          level: severity,
          message: { text: fix === undefined ? message : `${message} ${fix}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation:
                  skill.facts.folder === null ? servedArtifact(skill.uri ?? undefined, inner ?? 'SKILL.md', file) : artifactOf(file, cwd),
                ...(line !== undefined && { region: { startLine: line, ...(column !== undefined && { startColumn: column }) } }),
              },
            },
          ],
        })),
      },
    ],
  };
}

function artifactOf(file: string, cwd: string): { readonly uri: string; readonly uriBaseId?: string } {
  if (path.isAbsolute(file)) return { uri: pathToFileURL(file).href };
  const base = pathToFileURL(`${cwd}${path.sep}`).href;
  return { uri: pathToFileURL(path.join(cwd, file)).href.slice(base.length), uriBaseId: 'SRCROOT' };
}

/** What is served lies in no folder: its address says where it is, if it has one. */
function servedArtifact(uri: string | undefined, inner: string, shown: string): { readonly uri: string } {
  const base = uri === undefined || uri.endsWith('/') || uri.endsWith('/SKILL.md') ? uri : `${uri}/`;
  return { uri: base === undefined || !URL.canParse(inner, base) ? encodeURI(shown) : new URL(inner, base).href };
}
