import { SkillError } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/internal';

/** Engines record this much JSON without trouble: Cloudflare takes 1 MiB a step. */
const defaultMaxOutputCharacters = 500_000;

/** The limit in force. @throws {SkillError} `invalid-options` */
export function maxOutputCharactersOf(given: number | undefined): number {
  return numberOption('maxOutputCharacters', given, { of: 'runWorkflow', fallback: defaultMaxOutputCharacters, least: 1 });
}

/**
 * Converts an output to what it is after it was recorded. Every run passes through here, so a
 * workflow that works without an engine works with each.
 *
 * @throws {SkillError} `step-failed` for an output that is not JSON, `limit-exceeded` for one that
 *   is too long
 */
export function jsonOutput(value: unknown, maxCharacters: number): unknown {
  const text = textOf(value);
  if (text === undefined) return null;
  if (text.length > maxCharacters) {
    throw new SkillError(
      'limit-exceeded',
      `The output has ${text.length} characters of JSON, more than ${maxCharacters}. Return less, or raise maxOutputCharacters.`,
    );
  }
  return JSON.parse(text);
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new SkillError('step-failed', 'The output is not JSON: it has a cycle or a bigint. Return plain data.', { cause });
  }
}
