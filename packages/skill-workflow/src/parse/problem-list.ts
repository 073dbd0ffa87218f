import type { ValuePath } from '../references/walk-values.ts';
import type { WorkflowProblem, WorkflowSource } from './workflow-problem.ts';

const maxProblems = 50;

export class ProblemList {
  readonly #problems: WorkflowProblem[] = [];
  readonly #source: WorkflowSource | undefined;

  constructor(source: WorkflowSource | undefined) {
    this.#source = source;
  }

  add(at: ValuePath, message: string, fix: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push({ at, message, fix, ...this.#source?.locate(at) });
  }

  /** In the order of the steps. */
  get found(): readonly WorkflowProblem[] {
    return this.#problems.toSorted((a, b) => stepOf(a) - stepOf(b));
  }
}

function stepOf({ at }: WorkflowProblem): number {
  return typeof at[1] === 'number' ? at[1] : -1;
}
