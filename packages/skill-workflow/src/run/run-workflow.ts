import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { parseWorkflow, type ParseWorkflowOptions, type WorkflowSkill } from '../parse/parse-workflow.ts';
import { executeWorkflow, executionRules, type ExecuteWorkflowOptions, type WorkflowResult } from './execute-workflow.ts';

/** Options of {@link runWorkflow}. */
export interface RunWorkflowOptions extends ExecuteWorkflowOptions, Pick<ParseWorkflowOptions, 'source' | 'allowUntrusted'> {}

const knownOptions: OptionRules<RunWorkflowOptions> = {
  ...executionRules,
  input: '{}',
  runStep: '()',
  workflowId: 'string',
  concurrency: 'number',
  signal: '{}',
  source: '{}',
  allowUntrusted: 'boolean',
};

/**
 * Runs the `steps` of a skill, one after another. Everything is checked first: a workflow that
 * cannot work runs no step at all.
 *
 * @throws {SkillError} `invalid-skill` for steps that are wrong, with each problem and its place
 * @throws {SkillError} `permission-denied` for a skill that is not trusted, without
 *   `allowUntrusted`
 * @throws {SkillError} `invalid-input`, `invalid-options` for what a step needs and what is missing
 * @throws {WorkflowError} `step-failed` for a step that failed, with everything that finished
 * @example
 * ```ts
 * import { runWorkflow } from '@repertoire/skill-workflow';
 * import { SkillRegistry } from '@repertoire/skills-core';
 *
 * const provider = new SkillRegistry({ skills: [
 *   {
 *     name: 'sums',
 *     description: 'Adds three numbers.',
 *     body: '# Sums',
 *     steps: [
 *       { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
 *       { name: 'second', tool: 'add', input: { a: '$.steps.first.output', b: '$.input.c' } },
 *     ],
 *   },
 * ] });
 * const add = ({ a, b }: { readonly a?: unknown; readonly b?: unknown }): number => Number(a) + Number(b);
 *
 * export async function sum(): Promise<unknown> {
 *   const skill = await provider.getSkill('sums');
 *   if (skill === null) return null;
 *   const { output } = await runWorkflow(skill, { input: { a: 1, b: 2, c: 3 }, tools: { add } });
 *   return output; // 6
 * }
 * ```
 */
export async function runWorkflow(skill: WorkflowSkill, options: RunWorkflowOptions = {}): Promise<WorkflowResult> {
  assertKnownOptions('runWorkflow', options, knownOptions);
  const { source, allowUntrusted, ...execution } = options;
  const tools = Object.keys(options.tools ?? {});
  return await executeWorkflow(parseWorkflow(skill, { tools, source, allowUntrusted }), execution);
}
