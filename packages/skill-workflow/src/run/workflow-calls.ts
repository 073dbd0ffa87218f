import { SkillError } from '@repertoire/skills-core';
import { oneLineOf } from '../one-line-of.ts';
import { resolveArguments, type WorkflowData } from '../references/resolve-arguments.ts';
import type { WorkflowArguments, WorkflowStep, WorkflowStepRules } from '../workflow.ts';

/** One recorded call: of a tool, of the model, or a question to a person. */
export interface WorkflowCall {
  /** `search`, `research/flights` for a branch, or `search/0` for the first element of a list. */
  readonly id: string;
  /** Name of the branch, or place of the element, if the step has several calls. */
  readonly branch?: string | undefined;
  /** Name of the tool; `undefined` for a question. */
  readonly tool?: string | undefined;
  readonly prompt?: string | undefined;
  readonly systemPrompt?: string | undefined;
  /** What a person is asked. */
  readonly question?: string | undefined;
  readonly input: WorkflowArguments;
  readonly policy?: WorkflowStepRules['policy'];
  readonly element?: Pick<WorkflowData, 'item' | 'index'> | undefined;
}

const maxElements = 1_000;

/** The calls of a step as written, in order: several for a fan-out, one for the others. */
export function callsOfStep(step: WorkflowStep): readonly WorkflowCall[] {
  const { policy } = step;
  switch (step.type) {
    case 'tool':
      return [{ id: step.name, tool: step.tool, input: step.input, policy }];
    case 'prompt':
      return [{ id: step.name, prompt: step.prompt, systemPrompt: step.systemPrompt, input: step.input, policy }];
    case 'approval':
      return [{ id: step.name, question: step.question, input: step.input }];
    case 'tools':
      return step.branches.map(({ name, tool, input }) => ({ id: `${step.name}/${name}`, branch: name, tool, input, policy }));
  }
}

/**
 * Returns the calls of a step in a run: one for each element where it goes through a list.
 * `undefined` if the step is skipped. It follows from what is recorded, so it is the same in every
 * run.
 *
 * @throws {SkillError} `step-failed` for a reference that leads nowhere, or to no list;
 *   `limit-exceeded` for a list that is too long
 */
export function callsToRun(step: WorkflowStep, data: WorkflowData): readonly WorkflowCall[] | undefined {
  const valueOf = (value: string): unknown => resolveArguments({ value }, data)['value'];
  if (step.when !== undefined && isEmpty(valueOf(step.when))) return undefined;
  const calls = callsOfStep(step);
  if (!goesThroughList(step)) return calls;
  const list = valueOf(step.forEach) ?? [];
  if (!Array.isArray(list)) throw new SkillError('step-failed', `${step.forEach} leads to ${oneLineOf(list)}. for_each needs a list.`);
  if (list.length > maxElements)
    throw new SkillError('limit-exceeded', `${step.forEach} has ${list.length} elements. A step goes through ${maxElements} at most.`);
  return list.flatMap((item: unknown, index) =>
    calls.map((call) => ({ ...call, id: `${call.id}/${index}`, branch: String(index), element: { item, index } })),
  );
}

/** Returns the output of a step, from those of its calls; `undefined` for a skipped step. */
export function outputOfStep(step: WorkflowStep, outputs: readonly unknown[] | undefined): unknown {
  if (step.type === 'tools')
    return Object.fromEntries(step.branches.map(({ name }, index) => [name, outputs === undefined ? null : outputs[index]]));
  if (goesThroughList(step)) return outputs ?? [];
  return outputs === undefined ? null : outputs[0];
}

/** Whether a step runs once for each element of a list. */
export function goesThroughList(step: WorkflowStep): step is WorkflowStep & { readonly forEach: string } {
  return 'forEach' in step && step.forEach !== undefined;
}

function isEmpty(value: unknown): boolean {
  return value === false || value === null || value === 0 || value === '' || (Array.isArray(value) && value.length === 0);
}
