import { SkillError } from '@repertoire/skills-core';
import { jsonpath } from 'json-p3';
import { listOf, oneLineOf } from '../one-line-of.ts';
import type { WorkflowArguments } from '../workflow.ts';
import { isReference, literalText } from './reference.ts';

/** What references lead to: the input of the workflow, and the outputs of the steps so far. */
export interface WorkflowData {
  readonly input: Readonly<Record<string, unknown>>;
  readonly steps: Readonly<Record<string, { readonly output: unknown }>>;
  /** The element that a call is for, in a step with `for_each`. */
  readonly item?: unknown;
  /** Its place, from 0. */
  readonly index?: number | undefined;
}

/**
 * The arguments of a call: literals as they are, references replaced by copies of what they lead
 * to.
 *
 * @throws {SkillError} `step-failed` for a reference that leads nowhere; the message names it and
 *   says where the path ends
 */
export function resolveArguments(written: WorkflowArguments, data: WorkflowData): Record<string, unknown> {
  return Object.fromEntries(Object.entries(written).map(([key, value]) => [key, resolveValue(value, data)]));
}

function resolveValue(value: unknown, data: WorkflowData): unknown {
  if (isReference(value)) return follow(value, data);
  if (typeof value === 'string') return literalText(value);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, data));
  if (typeof value === 'object' && value !== null) return resolveArguments(value as WorkflowArguments, data);
  return value;
}

function follow(text: string, data: WorkflowData): unknown {
  const node = jsonpath.match(text, data as never);
  if (node === undefined) throw new SkillError('step-failed', `${text} leads nowhere: ${whereItEnds(text, data)}`);
  return copyOfJson(node.value);
}

/** Clones JSON. The sandbox of Temporal has no `structuredClone`. */
function copyOfJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOfJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOfJson(inner)]));
}

function whereItEnds(text: string, data: WorkflowData): string {
  const { segments } = jsonpath.compile(text);
  let value: unknown = data;
  let reached = '$';
  for (const segment of segments) {
    const written = segment.toString();
    const node = jsonpath.match(`$${written}`, value as never);
    if (node === undefined)
      return `${reached} is ${contentsOf(value)}, and ${written} is not in it. Correct the reference, or return the value.`;
    value = node.value;
    reached += written;
  }
  return `${reached} has no value.`;
}

function contentsOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return fieldsOf(Object.keys(value));
  return value === null ? 'null' : `a ${typeof value}`;
}

function fieldsOf(keys: readonly string[]): string {
  return `an object with ${keys.length === 0 ? 'no fields' : `the fields ${listOf(keys.map(oneLineOf))}`}`;
}
