import { SkillError } from '../errors/skill-error.ts';
import { splitArguments } from './arguments/split-arguments.ts';

/** Reads arguments of a model leniently, with an error that says what to send. */
export class ToolInput {
  readonly tool: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @throws {SkillError} `invalid-input` where the input is not an object */
  constructor(tool: string, input: unknown) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new SkillError('invalid-input', `${tool} takes an object with named arguments, not ${describe(input)}.`);
    }
    this.tool = tool;
    this.#fields = input as Record<string, unknown>;
  }

  /** The arguments as the model gave them. */
  get given(): unknown {
    return this.#fields;
  }

  /**
   * The first of these fields that is given: the first name is ours, the others are what other
   * systems call it.
   *
   * @throws {SkillError} `invalid-input`
   */
  requiredText(field: string, ...aliases: string[]): string {
    const value = [field, ...aliases].map((name) => this.optionalText(name)).find((given) => given !== undefined);
    if (value === undefined) throw new SkillError('invalid-input', `${this.tool} needs ${field}.`);
    return value;
  }

  /** @throws {SkillError} `invalid-input` */
  optionalText(...names: readonly [field: string, ...aliases: string[]]): string | undefined {
    const [field, value] = this.first(names);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new SkillError('invalid-input', `${this.tool} takes ${field} as text, not ${describe(value)}.`);
    return value.trim() === '' ? undefined : value;
  }

  /** Whether a field is given as yes. */
  isSet(field: string): boolean {
    const value = this.#value(field);
    return value === true || value === 'true';
  }

  /** @throws {SkillError} `invalid-input` */
  optionalLine(field: string): number | undefined {
    const value = this.#value(field);
    if (value === undefined || value === '') return undefined;
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) {
      throw new SkillError('invalid-input', `${this.tool} takes ${field} as a whole number from 1, not ${describe(value)}.`);
    }
    return number;
  }

  /** The first of these fields that is given, with its name and value. */
  first(names: readonly [string, ...string[]]): readonly [string, unknown] {
    const given = names.find((name) => this.#value(name) !== undefined) ?? names[0];
    return [given, this.#value(given)];
  }

  #value(field: string): unknown {
    return Object.hasOwn(this.#fields, field) ? (this.#fields[field] ?? undefined) : undefined;
  }
}

/** Fields of a tool that a host adds. */
type Names = readonly [field: string, ...aliases: string[]];

/**
 * An object; also as JSON text.
 *
 * @throws {SkillError} `invalid-input`
 */
export function objectOf(fields: ToolInput, ...names: Names): Readonly<Record<string, unknown>> | undefined {
  const [field, value] = fields.first(names);
  if (value === undefined) return undefined;
  const object = typeof value === 'string' ? jsonOf(value) : value;
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object as Readonly<Record<string, unknown>>;
  throw new SkillError('invalid-input', `${fields.tool} takes ${field} as an object, not ${describe(value)}.`);
}

/**
 * A list of texts; one text is split as a shell splits it.
 *
 * @throws {SkillError} `invalid-input`
 */
export function listOf(fields: ToolInput, ...names: Names): readonly string[] {
  const [field, value] = fields.first(names);
  if (value === undefined) return [];
  if (typeof value === 'string') return splitArguments(value);
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw new SkillError('invalid-input', `${fields.tool} takes ${field} as a list of texts, not ${describe(value)}.`);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
