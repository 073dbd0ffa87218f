import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { isTrusted, SkillError, type SkillMetadata } from '@repertoire/skills-core';
import { listOf, oneLineOf } from '../one-line-of.ts';
import { callsOfStep, type WorkflowCall } from '../run/workflow-calls.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';
import { checkReferences, type ReferenceScope } from './check-references.ts';
import { ProblemList, problemText, type WorkflowProblem, type WorkflowSource } from './workflow-problem.ts';
import { readStep } from './read-step.ts';
import type { ValuePath } from '../references/reference.ts';

/** The fields of a skill that make a workflow. A `Skill` and its `SkillMetadata` are both fine. */
export type WorkflowSkill = Pick<SkillMetadata, 'name' | 'steps' | 'origin'> & {
  readonly description?: string | undefined;
  readonly version?: string | null | undefined;
};

/** Options of {@link checkWorkflow}. */
export interface CheckWorkflowOptions {
  /** Names of the tools that exist. @default tools are not checked */
  readonly tools?: readonly string[] | undefined;
  /** Names of the inputs that exist. @default inputs are not checked */
  readonly inputs?: readonly string[] | undefined;
  /** Adds line and column to problems. @default problems have a path only */
  readonly source?: WorkflowSource | undefined;
}

/** Options of {@link parseWorkflow}. */
export interface ParseWorkflowOptions extends CheckWorkflowOptions {
  /**
   * Accepts a skill of a source that the host does not trust. Its steps choose which tools are
   * called and with what.
   * @default false
   */
  readonly allowUntrusted?: boolean | undefined;
}

const maxSteps = 100;

const knownCheckWorkflowOptions: OptionRules<CheckWorkflowOptions> = {
  tools: 'string[]',
  inputs: 'string[]',
  source: '{}',
};

/**
 * Finds everything that is wrong with the steps of a skill, without running anything.
 *
 * @returns up to 50 problems, in the order of the steps; empty if the workflow can run
 * @example
 * ```ts
 * import { checkWorkflow } from '@repertoire/skill-workflow';
 *
 * const skill = { name: 'sums', steps: [{ name: 'add', tool: 'add-number', input: { a: '$.input.a' } }] };
 * const problems = checkWorkflow(skill, { tools: ['add-numbers'], inputs: ['a'] });
 * export const messages = problems.map(({ message }) => message); // ['There is no tool "add-number".']
 * ```
 */
export function checkWorkflow(skill: WorkflowSkill, options: CheckWorkflowOptions = {}): readonly WorkflowProblem[] {
  assertKnownOptions('checkWorkflow', options, knownCheckWorkflowOptions);
  return read(skill, options).problems;
}

const knownParseWorkflowOptions: OptionRules<ParseWorkflowOptions> = {
  ...knownCheckWorkflowOptions,
  allowUntrusted: 'boolean',
};

/**
 * Turns the `steps` of a skill into a workflow. Everything that can be known before a run is
 * checked here: each step has exactly one of `tool`, `tools` and `prompt`, names are unique, tools
 * exist, references lead to earlier steps.
 *
 * @throws {SkillError} `invalid-skill` with each problem, its place, and what to change
 * @throws {SkillError} `permission-denied` for a skill that is not trusted, without
 *   `allowUntrusted`
 * @example
 * ```ts
 * import { parseWorkflow } from '@repertoire/skill-workflow';
 *
 * const workflow = parseWorkflow(
 *   { name: 'sums', steps: [{ name: 'add', tool: 'add-numbers', input: { a: '$.input.a', b: 1 } }] },
 *   { tools: ['add-numbers'], allowUntrusted: true },
 * );
 * export const names = workflow.steps.map(({ name }) => name); // ['add']
 * ```
 */
export function parseWorkflow(skill: WorkflowSkill, options: ParseWorkflowOptions = {}): Workflow {
  assertKnownOptions('parseWorkflow', options, knownParseWorkflowOptions);
  const { name } = skill;
  if (typeof name !== 'string')
    throw new SkillError(
      'invalid-options',
      `A workflow is a skill with its steps, and this is ${oneLineOf(skill)}. Get the skill first: await provider.getSkill(name).`,
    );
  if (options.allowUntrusted !== true && !isTrusted(skill)) {
    throw new SkillError(
      'permission-denied',
      `The workflow ${oneLineOf(name)} is not from a trusted source. Get the skill from a source that the host trusts, or pass allowUntrusted: true.`,
      { skill: name },
    );
  }
  const { steps, problems } = read(skill, options);
  if (problems.length > 0)
    throw new SkillError('invalid-skill', `The workflow ${oneLineOf(name)} cannot run. ${problems.map(problemText).join(' ')}`, {
      skill: name,
    });
  // The caller may change the skill afterwards; a recorded workflow stays as it is.
  return structuredClone({ name, version: skill.version ?? null, steps });
}

function read(
  skill: WorkflowSkill,
  { tools, inputs, source }: CheckWorkflowOptions,
): { steps: WorkflowStep[]; problems: readonly WorkflowProblem[] } {
  const problems = new ProblemList(source);
  const written: unknown = skill.steps;
  if (!Array.isArray(written) || written.length === 0 || written.length > maxSteps) {
    const count =
      written === undefined
        ? 'The skill has no steps.'
        : Array.isArray(written)
          ? `There are ${written.length} steps.`
          : 'steps is not a list.';
    problems.add(['steps'], count, `Write a list of 1 to ${maxSteps} steps.`);
    return { steps: [], problems: problems.found };
  }
  const steps = written.flatMap((entry: unknown, index) => {
    const step = readStep(entry, ['steps', index], problems);
    return step === undefined ? [] : [{ step, index }];
  });
  const earlier = new Map<string, WorkflowStep>();
  const later = new Set(steps.map(({ step }) => step.name));
  const broken = new Set(written.map(nameOf).filter((name) => typeof name === 'string' && !later.has(name)));
  const scope: ReferenceScope = { earlier, later, broken, inputs: inputs && new Set(inputs) };
  const known = tools && new Set(tools);
  for (const { step, index } of steps) {
    if (earlier.has(step.name))
      problems.add(['steps', index, 'name'], `The name ${oneLineOf(step.name)} is taken.`, 'Give each step a name of its own.');
    const at = ['steps', index];
    if (step.when !== undefined) checkReferences({ when: step.when }, at, scope, problems);
    const each = 'forEach' in step ? step.forEach : undefined;
    if (each !== undefined) checkReferences({ for_each: each }, at, scope, problems);
    for (const call of callsOf(step, at)) {
      checkReferences(call.input, [...call.at, 'input'], { ...scope, hasItem: each !== undefined }, problems);
      if (call.tool !== undefined && known?.has(call.tool) === false) {
        problems.add(
          [...call.at, 'tool'],
          `There is no tool ${oneLineOf(call.tool)}.`,
          known.size === 0 ? 'Pass it in tools.' : `Tools: ${listOf(known)}.`,
        );
      }
    }
    earlier.set(step.name, step);
    later.delete(step.name);
  }
  return { steps: steps.map(({ step }) => step), problems: problems.found };
}

function nameOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined;
}

/** Returns the calls of a step, each with the place of what describes it. */
function callsOf(step: WorkflowStep, at: ValuePath): readonly (Pick<WorkflowCall, 'tool' | 'input'> & { readonly at: ValuePath })[] {
  return callsOfStep(step).map(({ tool, input }, index) => ({ tool, input, at: step.type === 'tools' ? [...at, 'tools', index] : at }));
}
