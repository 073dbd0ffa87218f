import type { ValuePath } from '../references/reference.ts';

/** A place in a file, counted from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Finds the place of a value in the frontmatter. `workflowSource` of `/source` makes one. */
export interface WorkflowSource {
  /** Position of the value, or of its nearest parent; `undefined` if unknown. */
  locate(at: ValuePath): SourcePosition | undefined;
}

/** Something that is wrong with the steps of a skill. */
export interface WorkflowProblem {
  /** Where it is: `['steps', 1, 'input', 'a']`. */
  readonly at: ValuePath;
  /** What is wrong, with the value. */
  readonly message: string;
  /** What to change. */
  readonly fix: string;
  /** Line in the file, from 1, where the source is known. */
  readonly line?: number | undefined;
  /** Column in the line, from 1. */
  readonly column?: number | undefined;
}

/** `steps[1].input.a` */
function pathText(at: ValuePath): string {
  return at.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

/** Formats a problem as a sentence: place, what is wrong, what to change. */
export function problemText({ at, message, fix, line, column }: WorkflowProblem): string {
  const position = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  return `${pathText(at)}${position}: ${message} ${fix}`;
}

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
