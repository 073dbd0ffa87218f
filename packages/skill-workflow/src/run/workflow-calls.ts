import type { WorkflowArguments, WorkflowStep } from '../workflow.ts';

/** One call that an engine records: a tool call or a question to the model. */
export interface WorkflowCall {
  /** `search`, or `research/flights` for a branch. */
  readonly id: string;
  /** Name of the branch, if the step has branches. */
  readonly branch?: string | undefined;
  /** Name of the tool; `undefined` for a prompt. */
  readonly tool?: string | undefined;
  readonly prompt?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly input: WorkflowArguments;
}

/** The calls of a step, in order: several for a fan-out, one for the others. */
export function callsOfStep(step: WorkflowStep): readonly WorkflowCall[] {
  switch (step.type) {
    case 'tool':
      return [{ id: step.name, tool: step.tool, input: step.input }];
    case 'prompt':
      return [{ id: step.name, prompt: step.prompt, systemPrompt: step.systemPrompt, input: step.input }];
    case 'tools':
      return step.branches.map(({ name, tool, input }) => ({ id: `${step.name}/${name}`, branch: name, tool, input }));
  }
}
