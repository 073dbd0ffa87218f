import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';

/** What a tool threw, as data: the model gets the same words in every run. */
export interface RecordedFailure {
  readonly name: string;
  readonly message: string;
  /** Of a `SkillError`. */
  readonly code?: SkillErrorCode | undefined;
  readonly skill?: string | undefined;
  readonly path?: string | undefined;
  readonly source?: string | undefined;
}

/** What was thrown, for the record. A message that is too long is cut. */
export function recordFailure(error: unknown, maxCharacters: number = Number.POSITIVE_INFINITY): RecordedFailure {
  const whole = messageOf(error);
  const { length } = whole;
  const message = length <= maxCharacters ? whole : `${whole.slice(0, maxCharacters)}… (cut: ${maxCharacters} of ${length} characters)`;
  if (!SkillError.isInstance(error)) return { name: error instanceof Error ? error.name : 'Error', message };
  const { name, code, skill, path, source } = error;
  return { name, message, code, skill, path, source };
}

/** What a call gave, or what it threw, which is its answer too: the same in every run. */
export type RecordedAnswer<Value> = { readonly output: Value } | { readonly failed: RecordedFailure };

/** @param isCut whether an error ended the step, so that the call has no answer */
export async function recordAnswer<Value>(
  work: () => Promise<Value>,
  isCut: (error: unknown) => boolean,
  maxCharacters?: number,
): Promise<RecordedAnswer<Value>> {
  try {
    return { output: await work() };
  } catch (error) {
    if (isCut(error)) throw error;
    return { failed: recordFailure(error, maxCharacters) };
  }
}

/** Returns the output of a recorded answer, or throws what was thrown. */
export function outputOf<Value>(answer: RecordedAnswer<Value>): Value {
  if ('failed' in answer) throw failureOf(answer.failed);
  return answer.output;
}

export function failureOf({ name, message, code, skill, path, source }: RecordedFailure): Error {
  if (code !== undefined) return new SkillError(code, message, { skill, path, source });
  const error = new Error(message);
  error.name = name;
  return error;
}
