import { SkillError } from '@repertoire/skills-core';
import { inputReferences } from '../references/input-paths.ts';
import { resolveArguments } from '../references/resolve-arguments.ts';
import type { Workflow } from '../workflow.ts';
import type { ExecuteWorkflowOptions } from './execute-workflow.ts';
import { maxOutputCharactersOf } from './json-output.ts';
import type { CallEnvironment } from './run-call.ts';
import { runStepInMemory } from './run-step.ts';
import { stepPolicyOf } from './step-policy.ts';
import { callsOfStep } from './workflow-calls.ts';
import { toolFunction } from './workflow-tool-function.ts';

/**
 * What the calls of a run are given, after it was checked that nothing is missing.
 *
 * @throws {SkillError} `invalid-options` for a tool or a model that is missing, and for a policy
 *   that cannot work
 */
export function callEnvironment(workflow: Workflow, options: ExecuteWorkflowOptions): CallEnvironment {
  const { tools = {}, generate, approve, runStep = runStepInMemory, workflowId, policy, signal } = options;
  const maxOutputCharacters = maxOutputCharactersOf(options.maxOutputCharacters);
  const environment: CallEnvironment = {
    workflow: workflow.name,
    workflowId,
    tools,
    generate,
    approve,
    runStep,
    policy,
    maxOutputCharacters,
    signal,
  };
  refuseMissing(workflow, environment);
  // A policy that cannot work is found here, not at the call that it is for.
  for (const step of workflow.steps) for (const { tool } of callsOfStep(step)) stepPolicyOf(policy, { step: step.name, tool });
  return environment;
}

function refuseMissing({ name, steps }: Workflow, { tools, generate, approve }: CallEnvironment): void {
  const calls = steps.flatMap((step) => callsOfStep(step));
  const missing = calls.flatMap(({ tool }) => (tool === undefined || toolFunction(tools, tool) !== undefined ? [] : [tool]));
  if (missing.length > 0) {
    throw new SkillError(
      'invalid-options',
      `The workflow "${name}" calls ${[...new Set(missing)].map((tool) => `"${tool}"`).join(', ')}, which is not in tools. Pass it.`,
      {
        skill: name,
      },
    );
  }
  if (generate === undefined && calls.some(({ prompt }) => prompt !== undefined))
    throw new SkillError('invalid-options', `The workflow "${name}" has prompt steps. Pass generate.`, { skill: name });
  if (approve === undefined && calls.some(({ question }) => question !== undefined))
    throw new SkillError('invalid-options', `The workflow "${name}" asks a person. Pass approve.`, { skill: name });
}

/**
 * Checks that every reference to the input leads somewhere.
 *
 * @throws {SkillError} `invalid-input`, naming those that do not
 */
export function refuseMissingInput(workflow: Workflow, input: Readonly<Record<string, unknown>>): void {
  const missing = inputReferences(workflow).filter(({ text }) => !leadsSomewhere(text, input));
  if (missing.length === 0) return;
  const named = [...new Set(missing.map(({ text }) => text))];
  throw new SkillError(
    'invalid-input',
    `The workflow "${workflow.name}" needs ${named.join(', ')}. Pass it in input; null counts as a value.`,
    {
      skill: workflow.name,
    },
  );
}

function leadsSomewhere(text: string, input: Readonly<Record<string, unknown>>): boolean {
  try {
    resolveArguments({ text }, { input, steps: {} });
    return true;
  } catch {
    return false;
  }
}
