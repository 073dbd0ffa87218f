import { isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { oneLineOf } from '../one-line-of.ts';
import { isReference, type ValuePath } from '../references/reference.ts';
import { longestTimerMs } from '../run/step-policy.ts';
import type { WorkflowStepRules } from '../workflow.ts';
import type { ProblemList } from './workflow-problem.ts';

const maxAttempts = 10;

/** Reads what every step can have: `when`, `retry` and `timeout_ms`. */
export function readRules(written: JsonObject, at: ValuePath, problems: ProblemList): WorkflowStepRules {
  const when = readReferenceField(written, 'when', at, problems);
  const timeoutMs = readNumber(written['timeout_ms'], [...at, 'timeout_ms'], [1, longestTimerMs], problems);
  const { attempts, retryDelayMs } = readRetry(written['retry'], [...at, 'retry'], problems);
  const policy = {
    ...(attempts !== undefined && { attempts }),
    ...(retryDelayMs !== undefined && { retryDelayMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return { ...(when !== undefined && { when }), ...(Object.keys(policy).length > 0 && { policy }) };
}

export function readReferenceField(written: JsonObject, field: string, at: ValuePath, problems: ProblemList): string | undefined {
  const value = written[field];
  if (value === undefined || isReference(value)) return value;
  problems.add([...at, field], `${field} is ${oneLineOf(value)}.`, 'Write a reference, such as $.input.field or $.steps.name.output.');
  return undefined;
}

function readRetry(
  written: unknown,
  at: ValuePath,
  problems: ProblemList,
): { readonly attempts?: number | undefined; readonly retryDelayMs?: number | undefined } {
  if (!isJsonObject(written)) return { attempts: readNumber(written, at, [1, maxAttempts], problems) };
  const { attempts, delay_ms: delay, ...others } = written;
  for (const key of Object.keys(others))
    problems.add([...at, key], `The field ${oneLineOf(key)} is not known here.`, 'Known here: attempts, delay_ms.');
  return {
    attempts: readNumber(attempts, [...at, 'attempts'], [1, maxAttempts], problems),
    retryDelayMs: readNumber(delay, [...at, 'delay_ms'], [0, longestTimerMs], problems),
  };
}

function readNumber(value: unknown, at: ValuePath, [least, most]: readonly [number, number], problems: ProblemList): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  problems.add(at, `${at.at(-1)} is ${oneLineOf(value)}.`, `Write a whole number from ${least} to ${most}.`);
  return undefined;
}
