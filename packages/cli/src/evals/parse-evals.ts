import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import type { EvalAssertion, EvalItem } from './eval-item.ts';

/** What a file of evaluations holds. */
export interface ParsedEvals {
  readonly items: readonly EvalItem[];
  /** What was left out, and why. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Where a file of evaluations was found. */
export interface EvalsPlace {
  /** The skill whose folder it lies in. */
  readonly skill: string;
  /** Its path inside that folder. */
  readonly file: string;
  /** Names of all skills, for `skill_name`. */
  readonly names: ReadonlySet<string>;
}

/** The most bytes of a file of evaluations. */
export const maxEvalFileBytes: number = 4 * 2 ** 20;
const maxItems = 1_000;
const maxPromptCharacters = 100_000;

/**
 * Reads evaluations in the forms that people write:
 * `{ skill_name, evals: [{ prompt, expected_output, files, assertions }] }`, a list of the same,
 * and a list of `{ query, should_trigger }`; and one evaluation a file,
 * `{ skills, query, files, expected_behavior }`. One bad entry hides no other.
 */
export function parseEvals(text: string, place: EvalsPlace): ParsedEvals {
  const diagnostics: SkillDiagnostic[] = [];
  const tell = (message: string, fix: string, severity: SkillDiagnostic['severity'] = 'warning'): void => {
    diagnostics.push({ code: 'eval-invalid', severity, message, skill: place.skill, path: place.file, fix });
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    tell(`${place.file} is no JSON: ${(error as Error).message}`, 'Correct the file.', 'error');
    return { items: [], diagnostics };
  }
  const named = isJsonObject(json) ? json['skill_name'] : undefined;
  const entries = Array.isArray(json)
    ? (json as unknown[])
    : isJsonObject(json) && Array.isArray(json['evals'])
      ? (json['evals'] as unknown[])
      : isJsonObject(json) && (textOf(json['query']) ?? textOf(json['prompt'])) !== undefined
        ? [json]
        : null;
  if (entries === null) {
    tell(
      `${place.file} holds no list of evaluations.`,
      'Write { "skill_name": "…", "evals": [{ "prompt": "…" }] }, or a list of { "query", "should_trigger" }.',
    );
    return { items: [], diagnostics };
  }
  const isKnown = typeof named === 'string' && place.names.has(named);
  if (typeof named === 'string' && !isKnown) {
    tell(
      `skill_name of ${place.file} is ${JSON.stringify(named)}, and there is no such skill. Its evaluations count for ${place.skill}.`,
      'Write the name of the skill.',
      'info',
    );
  }
  if (entries.length > maxItems) tell(`${place.file} has more than ${maxItems} entries; the others are left out.`, 'Split the file.');
  const items = entries.slice(0, maxItems).flatMap((entry, index): EvalItem[] => {
    const item = itemOf(entry, index, isKnown ? named : (skillOf(entry, place.names) ?? place.skill), place.file);
    if (item === null)
      tell(
        `Entry ${index + 1} of ${place.file} has no prompt of 1 to ${maxPromptCharacters} characters.`,
        'Give it a "prompt" or a "query".',
      );
    return item === null ? [] : [item];
  });
  return { items, diagnostics };
}

function skillOf(entry: unknown, names: ReadonlySet<string>): string | undefined {
  return isJsonObject(entry)
    ? listOf(entry['skills']).find((name): name is string => typeof name === 'string' && names.has(name))
    : undefined;
}

function itemOf(entry: unknown, index: number, skill: string, file: string): EvalItem | null {
  if (!isJsonObject(entry)) return null;
  const prompt = textOf(entry['prompt']) ?? textOf(entry['query']);
  if (prompt === undefined || prompt.length > maxPromptCharacters) return null;
  const id = entry['id'] ?? entry['name'];
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : String(index + 1),
    prompt,
    skill,
    shouldTrigger: entry['should_trigger'] !== false,
    expectedOutput: textOf(entry['expected_output']),
    files: listOf(entry['files']).filter((name): name is string => typeof name === 'string'),
    assertions: ['assertions', 'expectations', 'expected_behavior'].flatMap((key) => listOf(entry[key])).flatMap(assertionOf),
    file,
  };
}

/** A sentence, or an object with one; an object may also say how it is checked. */
function assertionOf(written: unknown): EvalAssertion[] {
  if (typeof written === 'string') return written.trim() === '' ? [] : [{ text: written, check: { kind: 'judged' } }];
  if (!isJsonObject(written)) return [];
  const value = textOf(written['value']);
  const kind = typeof written['type'] === 'string' ? written['type'].replaceAll('_', '-') : '';
  const text = ['text', 'description', 'assertion', 'name', 'id'].map((key) => textOf(written[key])).find((found) => found !== undefined);
  if ((kind === 'contains' || kind === 'not-contains') && value !== undefined) {
    return [{ text: text ?? `${kind === 'contains' ? 'contains' : 'does not contain'} ${JSON.stringify(value)}`, check: { kind, value } }];
  }
  return text === undefined ? [] : [{ text: value === undefined ? text : `${text}: ${value}`, check: { kind: 'judged' } }];
}

function listOf(value: JsonObject[string]): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
