import type { DiagnosticLog } from './diagnostic-log.ts';
import { readPlainFields } from './read-plain-fields.ts';
import { reportIssue } from './report-issue.ts';
import { typedKeys } from './skill-fields.ts';
import type { YamlEntry } from './yaml-reading.ts';

/** Reads fields without the YAML parser; `undefined`, with no report, where that must decide. */
export function readPlainYaml(yaml: string, log: DiagnosticLog): readonly YamlEntry[] | undefined {
  return readWith(typedKeys, yaml, log);
}

/** Of level 1, nothing but the steps has types. */
const typedInLevelOne: ReadonlySet<string> = new Set(['steps']);

/** The same for level 1. */
export function readPlainLevelOne(yaml: string, log: DiagnosticLog): readonly YamlEntry[] | undefined {
  return readWith(typedInLevelOne, yaml, log);
}

function readWith(typed: ReadonlySet<string>, yaml: string, log: DiagnosticLog): readonly YamlEntry[] | undefined {
  const reading = readPlainFields(yaml, typed, log.profile === 'lenient');
  for (const issue of reading?.issues ?? []) reportIssue(issue, log);
  return reading?.entries;
}
