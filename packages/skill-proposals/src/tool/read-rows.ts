import { SkillError } from '@repertoire/skills-core';

/**
 * Reads a list of objects with texts that a model wrote; also as JSON text. Other fields are
 * ignored.
 *
 * @throws {SkillError} `invalid-input`
 */
export function readRows<Field extends string>(
  tool: string,
  input: unknown,
  name: string,
  fields: readonly Field[],
): readonly Record<Field, string>[] {
  const given: unknown =
    typeof input === 'object' && input !== null && Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
  if (given === undefined || given === null || given === '') return [];
  const shape = `{ ${fields.join(', ')} }`;
  const list: unknown = typeof given === 'string' ? jsonOf(given) : given;
  const rows: readonly unknown[] = Array.isArray(list) ? list : [list];
  return rows.map((row) => {
    const entries = fields.map((field) => {
      const value: unknown =
        typeof row === 'object' && row !== null && Object.hasOwn(row, field) ? (row as Record<string, unknown>)[field] : undefined;
      if (typeof value !== 'string')
        throw new SkillError('invalid-input', `${tool} takes ${name} as a list of ${shape}, each a text. One has no ${field}.`);
      return [field, value] as const;
    });
    return Object.fromEntries(entries) as Record<Field, string>;
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
