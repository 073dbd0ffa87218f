import { listOf, oneLineOf } from '../one-line-of.ts';
import { readReference, walkValues, type ValuePath } from '../references/reference.ts';
import type { WorkflowArguments, WorkflowStep } from '../workflow.ts';
import type { ProblemList } from './workflow-problem.ts';

/** What the references of one step may lead to. */
export interface ReferenceScope {
  /** The steps before this one, by name. */
  readonly earlier: ReadonlyMap<string, WorkflowStep>;
  /** Names of this step and of the steps after it. */
  readonly later: ReadonlySet<string>;
  /** Names of steps with problems. References to them are not reported as well. */
  readonly broken: ReadonlySet<unknown>;
  /** Names of the inputs that exist; `undefined` if they are not known. */
  readonly inputs: ReadonlySet<string> | undefined;
  /** Whether `$.item` and `$.index` are there. @default false */
  readonly hasItem?: boolean | undefined;
}

/** Adds a problem for every argument that is not JSON and every reference that can lead nowhere. */
export function checkReferences(input: WorkflowArguments, at: ValuePath, scope: ReferenceScope, problems: ProblemList): void {
  for (const found of walkValues(input, at)) {
    if (found.type === 'invalid')
      problems.add(found.at, `The value ${found.problem}.`, 'Write text, a number, a boolean, null, a list or a mapping.');
    else checkReference(found.text, found.at, scope, problems);
  }
}

function checkReference(text: string, at: ValuePath, scope: ReferenceScope, problems: ProblemList): void {
  const read = readReference(text);
  if (!('path' in read)) {
    problems.add(
      at,
      `The reference ${oneLineOf(text)} ${read.problem}.`,
      `Write $.input.field or $.steps.name.output; for the text itself, write ${oneLineOf(`$${text}`)}.`,
    );
    return;
  }
  const [root, name, output, ...rest] = read.path;
  const refuse = (message: string, fix: string): void => problems.add(at, `The reference ${oneLineOf(text)} ${message}.`, fix);
  if (root === 'input') {
    if (name !== undefined && scope.inputs !== undefined && !scope.inputs.has(String(name)))
      refuse(`names the input ${oneLineOf(name)}, which does not exist`, `Inputs: ${listOf(scope.inputs)}.`);
  } else if (scope.hasItem === true && (root === 'item' || root === 'index')) {
    return;
  } else if (root === 'item' || root === 'index') {
    refuse('is there only in a step with for_each', 'Add for_each with a reference to the list.');
  } else if (root !== 'steps' || name === undefined) {
    refuse('does not start with $.input or $.steps.name.output', `For the text itself, write ${oneLineOf(`$${text}`)}.`);
  } else {
    const problem = problemOfStep(String(name), output, rest, scope);
    if (problem !== undefined) refuse(...problem);
  }
}

function problemOfStep(
  name: string,
  output: string | number | undefined,
  rest: readonly (string | number)[],
  { earlier, later, broken }: ReferenceScope,
): [message: string, fix: string] | undefined {
  if (broken.has(name)) return undefined;
  const step = earlier.get(name);
  if (step === undefined) {
    const message = later.has(name)
      ? `names the step ${oneLineOf(name)}, which has not run by then`
      : `names the step ${oneLineOf(name)}, which does not exist`;
    return [message, earlier.size === 0 ? 'No step runs earlier: use $.input.' : `Earlier steps: ${listOf(earlier.keys())}.`];
  }
  if (output !== 'output') return ['does not lead to an output', `Write $.steps.${name}.output.`];
  if (step.type === 'prompt' && step.forEach === undefined && rest.length > 0)
    return ['looks into the output of a prompt, which is text', `Write $.steps.${name}.output.`];
  const branches = step.type === 'tools' ? step.branches.map((branch) => branch.name) : [];
  if (branches.length > 0 && rest[0] !== undefined && !branches.includes(String(rest[0])))
    return [`names the branch ${oneLineOf(rest[0])}, which the step does not have`, `Branches: ${listOf(branches)}.`];
  return undefined;
}
