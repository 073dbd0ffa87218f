import { callsOfStep } from '../run/workflow-calls.ts';
import type { Workflow, WorkflowArguments } from '../workflow.ts';
import { readReference, walkValues } from './reference.ts';

export interface InputReference {
  /** As the author wrote it. */
  readonly text: string;
  /** The path below `$.input`: `['trip', 'city']`. Empty for the whole input. */
  readonly path: readonly (string | number)[];
  /** The tool that gets the value as an argument, where the reference is the whole argument. */
  readonly tool?: string | undefined;
  readonly argument?: string | undefined;
}

/** Every reference to `$.input` in a workflow, in the order of the steps. */
export function inputReferences({ steps }: Workflow): InputReference[] {
  return steps.flatMap((step) => [
    ...referencesOf({ when: step.when ?? null }, undefined),
    // Looked into by index, so that the field is a list.
    ...referencesOf({ each: ('forEach' in step ? step.forEach : undefined) ?? null }, undefined).map((found) => ({
      ...found,
      path: [...found.path, 0],
    })),
    ...callsOfStep(step).flatMap(({ tool, input }) => referencesOf(input, tool)),
  ]);
}

function referencesOf(input: WorkflowArguments, tool: string | undefined): InputReference[] {
  return Array.from(walkValues(input, [])).flatMap((found) => {
    if (found.type !== 'reference') return [];
    const read = readReference(found.text);
    if (!('path' in read) || read.path[0] !== 'input') return [];
    const whole = found.at.length === 1 && tool !== undefined;
    const path = read.path.slice(1);
    return [{ text: found.text, path, ...(whole && { tool, argument: String(found.at[0]) }) }];
  });
}
