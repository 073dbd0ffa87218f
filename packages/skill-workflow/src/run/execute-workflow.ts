import { messageOf, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { WorkflowData } from '../references/resolve-arguments.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';
import { callEnvironment, refuseMissingInput } from './prepare-run.ts';
import { runCall, type CallEnvironment } from './run-call.ts';
import type { RunStep } from './run-step.ts';
import type { StepPolicies } from './step-policy.ts';
import { callsOfStep, callsToRun, outputOfStep, type WorkflowCall } from './workflow-calls.ts';
import { WorkflowError, type BranchResult } from './workflow-error.ts';
import { beginStep, begunOf, recordOf, type BegunWorkflow } from './workflow-record.ts';
import { notify, type StepEvent, type StepPlace, type WorkflowProgressListener } from './workflow-progress.ts';
import type { Approve, Generate, WorkflowTools } from './workflow-tool-function.ts';

/** Options of {@link executeWorkflow}. */
export interface ExecuteWorkflowOptions {
  /** What `$.input` leads to. It must be JSON. @default {} */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** The tools that the steps may call. @default {} */
  readonly tools?: WorkflowTools | undefined;
  /** Asks the model for prompt steps. @default a workflow with prompt steps is refused */
  readonly generate?: Generate | undefined;
  /** Asks a person for steps with `approve`. @default a workflow with such steps is refused */
  readonly approve?: Approve | undefined;
  /** Records the result of each call. @default nothing is recorded */
  readonly runStep?: RunStep | undefined;
  /** Id of the run, from which idempotency keys are made. @default calls have no idempotency key */
  readonly workflowId?: string | undefined;
  /** Attempts and time limits. @default one attempt, no time limit */
  readonly policy?: StepPolicies | undefined;
  /** How many branches of a step run at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** The most characters that one output may have as JSON. @default 500_000 */
  readonly maxOutputCharacters?: number | undefined;
  /** Gets the progress. @default nobody does */
  readonly onProgress?: WorkflowProgressListener | undefined;
  /** Ends the run. It rejects with the signal's reason; no further call starts. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a run that every way to run a workflow takes. */
export const executionRules: OptionRules<Omit<ExecuteWorkflowOptions, 'input' | 'runStep' | 'workflowId' | 'concurrency' | 'signal'>> = {
  tools: '{}',
  generate: '()',
  approve: '()',
  policy: { '{}': true, '()': true },
  maxOutputCharacters: 'number',
  onProgress: '()',
};

/** How a workflow ended. */
export interface WorkflowResult {
  /** Output of the last step. */
  readonly output: unknown;
  /** Output of every step, by the name of the step. */
  readonly steps: Readonly<Record<string, { readonly output: unknown }>>;
}

/**
 * Runs a workflow that was parsed before. {@link runWorkflow} parses and runs in one call.
 *
 * With `runStep`, the run first records its id, the workflow and the input. A run that is resumed
 * goes on with what it recorded, whatever it is given by then.
 *
 * @throws {WorkflowError} `step-failed` for a step that failed, with everything that finished
 * @throws {SkillError} `workflow-changed` if the record is not that of this run and workflow
 * @throws {SkillError} `invalid-input` for an input that a step needs and that is missing;
 *   `invalid-options` for a tool or model that is missing, and for an option or a policy that is
 *   out of range. Nothing has run by then.
 * @example
 * ```ts
 * import { executeWorkflow, parseWorkflow } from '@repertoire/skill-workflow';
 *
 * const steps = [{ name: 'add', tool: 'add', input: { a: '$.input.a', b: 1 } }];
 * const workflow = parseWorkflow({ name: 'sums', steps }, { allowUntrusted: true });
 * const add = ({ a, b }: { readonly a?: unknown; readonly b?: unknown }): number => Number(a) + Number(b);
 * export const { output } = await executeWorkflow(workflow, { input: { a: 2 }, tools: { add } }); // 3
 * ```
 */
export async function executeWorkflow(workflow: Workflow, options: ExecuteWorkflowOptions = {}): Promise<WorkflowResult> {
  options.signal?.throwIfAborted();
  return await runBegun(await begin(workflow, options), options);
}

/** What this run does: what was given, or what the run recorded when it began. */
async function begin(given: Workflow, options: ExecuteWorkflowOptions): Promise<BegunWorkflow> {
  const { input = {}, runStep, workflowId } = options;
  const check = (): BegunWorkflow => {
    concurrencyOf(options);
    callEnvironment(given, options);
    refuseMissingInput(given, input);
    return { workflow: given, input };
  };
  if (runStep === undefined) return check();
  let refused: { readonly error: unknown } | undefined;
  try {
    return begunOf(
      await runStep(beginStep, async () => {
        try {
          return recordOf(check(), workflowId);
        } catch (error) {
          refused = { error };
          throw error;
        }
      }),
      workflowId,
      given.name,
    );
  } catch (error) {
    // Engines wrap what a step throws, and lose its code.
    throw refused === undefined ? error : refused.error;
  }
}

/** Runs what was begun, with the rest of the options. */
export async function runBegun({ workflow, input }: BegunWorkflow, options: ExecuteWorkflowOptions): Promise<WorkflowResult> {
  const { workflowId, onProgress, signal } = options;
  const concurrency = concurrencyOf(options);
  const environment = callEnvironment(workflow, options);
  const steps: Record<string, { readonly output: unknown }> = {};
  let output: unknown = null;
  for (const [index, step] of workflow.steps.entries()) {
    signal?.throwIfAborted();
    const place: StepPlace = { workflow: workflow.name, workflowId, step: step.name, index: index + 1, of: workflow.steps.length };
    const report = (event: StepEvent): void => notify(onProgress, { ...event, ...place });
    report({ type: 'step_started' });
    try {
      output = await runOneStep(step, { input, steps }, { environment, concurrency, report });
    } catch (error) {
      // An abort is the reason of the signal, not the failure of a step.
      signal?.throwIfAborted();
      report({ type: 'step_failed', error: messageOf(error) });
      throw error;
    }
    steps[step.name] = { output };
  }
  return { output, steps };
}

function concurrencyOf({ concurrency }: ExecuteWorkflowOptions): number {
  return numberOption('concurrency', concurrency, { of: 'runWorkflow', fallback: 8, least: 1, whole: true });
}

interface StepRun {
  readonly environment: CallEnvironment;
  readonly concurrency: number;
  report(event: StepEvent): void;
}

async function runOneStep(step: WorkflowStep, data: WorkflowData, run: StepRun): Promise<unknown> {
  const calls = callsIn(step, data, run);
  if (calls === undefined) {
    run.report({ type: 'step_skipped' });
    return outputOfStep(step, undefined);
  }
  const results = await runCalls(step, calls, data, run);
  if (results.some(({ error }) => error !== undefined)) throw failureOf(step, data, results, run.environment.workflow);
  run.report({ type: 'step_finished', replayed: results.every(({ replayed }) => replayed) });
  return outputOfStep(
    step,
    results.map(({ output }) => output),
  );
}

/** @throws {WorkflowError} for a list or a condition that cannot be read */
function callsIn(step: WorkflowStep, data: WorkflowData, { environment }: StepRun): readonly WorkflowCall[] | undefined {
  try {
    return callsToRun(step, data);
  } catch (thrown) {
    const results = callsOfStep(step).slice(0, 1);
    throw failureOf(
      step,
      data,
      results.map((call) => ({ call, replayed: false, error: { thrown } })),
      environment.workflow,
    );
  }
}

interface EndedCall {
  readonly call: WorkflowCall;
  readonly output?: unknown;
  readonly replayed: boolean;
  readonly error?: { readonly thrown: unknown } | undefined;
}

/** Runs the calls of a step in order. If one fails, the others still run to their end. */
async function runCalls(
  step: WorkflowStep,
  calls: readonly WorkflowCall[],
  data: WorkflowData,
  { environment, concurrency, report }: StepRun,
): Promise<EndedCall[]> {
  const ended: EndedCall[] = [];
  const work = async (call: WorkflowCall, index: number): Promise<void> => {
    const { branch } = call;
    try {
      const onRetry = (attempt: number, error: unknown): void =>
        report({ type: 'call_retried', call: call.id, attempt, error: messageOf(error) });
      const { output, replayed } = await runCall(call, step.name, data, environment, onRetry);
      ended[index] = { call, output, replayed };
      if (branch !== undefined) report({ type: 'branch_finished', branch, replayed });
    } catch (thrown) {
      environment.signal?.throwIfAborted();
      ended[index] = { call, replayed: false, error: { thrown } };
      if (branch !== undefined) report({ type: 'branch_failed', branch, error: messageOf(thrown) });
    }
  };
  await forEachBounded(calls, concurrency, work, environment.signal);
  return ended;
}

function failureOf(step: WorkflowStep, data: WorkflowData, results: readonly EndedCall[], workflow: string): WorkflowError {
  const failed = results.flatMap(({ call, error }) => (error === undefined ? [] : [{ call, thrown: error.thrown }]));
  const what = failed.map(({ call, thrown }) => `${call.branch === undefined ? '' : `${call.branch}: `}${messageOf(thrown)}`).join(' ');
  const hasBranches = results.some(({ call }) => call.branch !== undefined);
  const kept =
    hasBranches && failed.length < results.length
      ? ` ${results.length - failed.length} of ${results.length} branches finished; their results are in error.branches.`
      : '';
  const branches = !hasBranches
    ? undefined
    : Object.fromEntries(
        results.map(({ call, output, error }): [string, BranchResult] => [
          call.branch ?? '',
          error === undefined ? { output } : { error: messageOf(error.thrown) },
        ]),
      );
  const message = `Step "${step.name}" of the workflow "${workflow}" failed. ${what}${kept}`;
  return new WorkflowError(message, { workflow, step: step.name, steps: { ...data.steps }, branches, cause: failed[0]?.thrown });
}
