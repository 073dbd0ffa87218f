import { isInterrupt } from '../errors/is-interrupt.ts';
import { SkillError } from '../errors/skill-error.ts';
import { sourceFailed } from '../errors/source-failed.ts';
import type { SessionEvents } from '../events/session-events.ts';
import { startToolSpan, type SkillSpan } from '../events/skill-spans.ts';
import { UnansweredCall } from '../policy/approvals/skill-question.ts';
import { failureText } from '../prompt/source-words.ts';
import { splitArguments } from './arguments/split-arguments.ts';
import type { SkillToolDescription } from './describe-tool.ts';
import { SkillChanged } from './pinned/skill-doors.ts';
import type { SkillTool, SkillToolContext, SkillToolResult } from './skill-tool.ts';

/** The most characters of one answer, about 100,000 tokens. */
const maxAnswerCharacters = 400_000;

/** A tool of a model: what it is told of it, and what it does with the model's arguments. */
export function makeTool(
  events: SessionEvents,
  description: SkillToolDescription,
  work: (fields: ToolInput, context: SkillToolContext, span: SkillSpan) => Promise<SkillToolResult>,
): SkillTool {
  const { name, inputSchema } = description;
  const without = inputSchema.required.length === 0 ? {} : undefined;
  return {
    ...description,
    execute: (input = without, context) => runTool(name, events, context, async (span) => work(new ToolInput(name, input), context, span)),
  };
}

/** Turns errors into answers; aborts and questions to a person go through. */
export async function runTool(
  tool: string,
  events: SessionEvents,
  context: SkillToolContext,
  work: (span: SkillSpan) => Promise<SkillToolResult>,
): Promise<SkillToolResult> {
  context.signal?.throwIfAborted();
  const span = startToolSpan(tool);
  try {
    return bounded(tool, await work(span));
  } catch (thrown) {
    if (isInterrupt(thrown)) throw thrown;
    span.fail(SkillError.isInstance(thrown) ? thrown.code : 'source-unavailable');
    context.signal?.throwIfAborted();
    const error = sourceFailed(thrown);
    const question = error instanceof UnansweredCall ? error.question : undefined;
    if (context.onlyAsk !== true && question === undefined)
      events.emit({ type: 'skill_failed', tool, code: error.code, message: error.message });
    return {
      text: failureText(error),
      events: error instanceof SkillChanged ? error.events : [],
      error,
      ...(question !== undefined && { question }),
    };
  } finally {
    span.end();
  }
}

/** An answer is given whole or not at all: a skill whose text is too long is not loaded. */
function bounded(tool: string, result: SkillToolResult): SkillToolResult {
  const { length } = result.text;
  if (length <= maxAnswerCharacters) return result;
  throw new SkillError(
    'limit-exceeded',
    `The answer of ${tool} would have ${length} characters, and one answer has at most ${maxAnswerCharacters}. Nothing was loaded or changed. Go on without it.`,
  );
}

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

/** Reports a line of progress. An error of the listener is ignored. */
export function tellProgress({ onProgress }: SkillToolContext, line: string): void {
  try {
    onProgress?.(line);
  } catch {
    // The work goes on.
  }
}
