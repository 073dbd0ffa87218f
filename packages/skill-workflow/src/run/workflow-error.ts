import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';

/** How one branch of a step ended. */
export type BranchResult = { readonly output: unknown } | { readonly error: string };

/** What a {@link WorkflowError} is about. */
export interface WorkflowErrorDetails {
  readonly workflow: string;
  readonly step: string;
  readonly steps: Readonly<Record<string, { readonly output: unknown }>>;
  readonly branches?: Readonly<Record<string, BranchResult>> | undefined;
  readonly cause?: unknown;
}

/**
 * A step of a workflow failed. What finished before it is kept: `steps` has the outputs of the
 * steps before it, `branches` the results of the other branches.
 *
 * An engine that records errors may restore it as a plain `Error`. The message is then all that is
 * left.
 *
 * @example
 * ```ts
 * import { runWorkflow, WorkflowError, type RunWorkflowOptions } from '@repertoire/skill-workflow';
 * import type { Skill } from '@repertoire/skills-core';
 *
 * export async function report(skill: Skill, options: RunWorkflowOptions): Promise<string> {
 *   try {
 *     return JSON.stringify((await runWorkflow(skill, options)).output);
 *   } catch (error) {
 *     if (!(error instanceof WorkflowError)) throw error;
 *     return `Finished: ${Object.keys(error.steps).join(', ')}. Failed: ${error.step}.`;
 *   }
 * }
 * ```
 */
export class WorkflowError extends SkillError {
  /** Name of the step that failed. */
  readonly step: string;
  /** Outputs of the steps that finished. */
  readonly steps: Readonly<Record<string, { readonly output: unknown }>>;
  /** Results of every branch, if the step has branches. */
  readonly branches: Readonly<Record<string, BranchResult>> | undefined;

  constructor(message: string, { workflow, step, steps, branches, cause }: WorkflowErrorDetails, code: SkillErrorCode = 'step-failed') {
    super(code, message, { skill: workflow, cause });
    this.step = step;
    this.steps = steps;
    this.branches = branches;
  }
}
