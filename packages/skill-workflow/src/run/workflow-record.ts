import { SkillError } from '@repertoire/skills-core';
import { hashText } from '@repertoire/skills-core/internal';
import { parseWorkflow } from '../parse/parse-workflow.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';

/** The step in which a run records what it runs. No step of a workflow has a blank in its name. */
export const beginStep = 'begin workflow';

/** What a run does: it is recorded before the first step, and holds to the end of the run. */
export interface BegunWorkflow {
  readonly workflow: Workflow;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A {@link BegunWorkflow} in the record of an engine. Text keeps the order of fields. */
export interface WorkflowRecord {
  /** Id of the run; `null` if it has none. */
  readonly run: string | null;
  /** Hash of `json`. */
  readonly digest: string;
  readonly json: string;
}

export function recordOf(begun: BegunWorkflow, run: string | undefined): WorkflowRecord {
  const json = JSON.stringify(begun);
  return { run: run ?? null, digest: hashText(json), json };
}

/**
 * Reads a record back.
 *
 * @param given the name of the workflow that this process was given, if it was given one
 * @throws {SkillError} `workflow-changed` if it is no record of this run and this workflow, or was
 *   changed
 */
export function begunOf(recorded: unknown, run: string | undefined, given?: string): BegunWorkflow & Readonly<Record<string, unknown>> {
  const { run: own, digest, json } = (recorded ?? {}) as Partial<WorkflowRecord>;
  if (typeof json !== 'string' || hashText(json) !== digest) throw notThisRun(given, 'is damaged, or none');
  const begun = JSON.parse(json) as BegunWorkflow;
  const name = given ?? begun.workflow.name;
  if (own !== (run ?? null)) throw notThisRun(name, `is that of the run ${JSON.stringify(own)}, not of ${JSON.stringify(run ?? null)}`);
  return { ...begun, workflow: recordedWorkflow(begun.workflow, name) };
}

/**
 * Reads a workflow from a record, checked by the rules for the steps of a skill. Whoever can write
 * the record chose it, so nothing about its form is taken on trust. Its tools are checked before it
 * runs.
 *
 * @throws {SkillError} `workflow-changed` if it is no workflow that can run, or that of another
 *   skill
 */
export function recordedWorkflow(recorded: unknown, name: string): Workflow {
  try {
    const { name: own, version, steps } = recorded as Workflow;
    const workflow = parseWorkflow({ name, version, steps: steps.map(asWritten) }, { allowUntrusted: true });
    if (own === name && (version === null || typeof version === 'string')) return workflow;
  } catch (cause) {
    throw notThisRun(name, 'holds no workflow of that name that can run', cause);
  }
  throw notThisRun(name, 'holds no workflow of that name that can run');
}

function notThisRun(name: string | undefined, why: string, cause?: unknown): SkillError {
  return new SkillError(
    'workflow-changed',
    `This run of ${name === undefined ? 'a workflow' : `the workflow "${name}"`} is not resumed: what it recorded when it began ${why}. Start it again under an id of its own, and let only this program write its record.`,
    { skill: name, cause },
  );
}

/** Converts a step to what an author writes. */
function asWritten(step: WorkflowStep): Readonly<Record<string, unknown>> {
  const { attempts, retryDelayMs, timeoutMs } = step.policy ?? {};
  return withoutUndefined({
    name: step.name,
    ...actionOf(step),
    for_each: 'forEach' in step ? step.forEach : undefined,
    when: step.when,
    retry: attempts === undefined && retryDelayMs === undefined ? undefined : withoutUndefined({ attempts, delay_ms: retryDelayMs }),
    timeout_ms: timeoutMs,
  });
}

function actionOf(step: WorkflowStep): Readonly<Record<string, unknown>> {
  switch (step.type) {
    case 'tool':
      return { tool: step.tool, input: step.input };
    case 'tools':
      // A branch without a name has that of its tool, which may have letters that a name cannot.
      return { tools: step.branches.map(({ name, tool, input }) => (name === tool ? { tool, input } : { name, tool, input })) };
    case 'prompt':
      return { prompt: step.prompt, system_prompt: step.systemPrompt, input: step.input };
    case 'approval':
      return { approve: step.question, input: step.input };
  }
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
