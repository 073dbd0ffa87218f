import { messageOf, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { WorkflowData } from '../references/resolve-arguments.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';
import { callRunner, refuseMissingInput } from './call-runner.ts';
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
  /** Gets the progress. @default none */
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
 * continues with what it recorded, even if it is given something else.
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

/** Returns what this run does: what was given, or what the run recorded when it began. */
async function begin(given: Workflow, options: ExecuteWorkflowOptions): Promise<BegunWorkflow> {
  const { input = {}, runStep, workflowId } = options;
  const check = (): BegunWorkflow => {
    concurrencyOf(options);
    callRunner(given, options);
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
  const runCall = callRunner(workflow, options);
  const steps: Record<string, { readonly output: unknown }> = {};
  const data: WorkflowData = { input, steps };

  /** Runs the calls of a step in order. If one fails, the others still run to their end. */
  async function runStep(step: WorkflowStep, report: (event: StepEvent) => void): Promise<unknown> {
    let calls: readonly WorkflowCall[] | undefined;
    try {
      calls = callsToRun(step, data);
    } catch (thrown) {
      throw failureOf(workflow.name, step, steps, [{ call: callsOfStep(step)[0], error: { thrown } }]);
    }
    if (calls === undefined) {
      report({ type: 'step_skipped' });
      return outputOfStep(step, undefined);
    }
    const ended: EndedCall[] = [];
    const work = async (call: WorkflowCall, index: number): Promise<void> => {
      const { branch } = call;
      try {
        const { output, replayed } = await runCall(call, step.name, data, (attempt, error) =>
          report({ type: 'call_retried', call: call.id, attempt, error: messageOf(error) }),
        );
        ended[index] = { call, output, replayed };
        if (branch !== undefined) report({ type: 'branch_finished', branch, replayed });
      } catch (thrown) {
        signal?.throwIfAborted();
        ended[index] = { call, error: { thrown } };
        if (branch !== undefined) report({ type: 'branch_failed', branch, error: messageOf(thrown) });
      }
    };
    await forEachBounded(calls, concurrency, work, signal);
    if (ended.some(({ error }) => error !== undefined)) throw failureOf(workflow.name, step, steps, ended);
    report({ type: 'step_finished', replayed: ended.every(({ replayed }) => replayed) });
    const outputs = ended.map(({ output }) => output);
    return outputOfStep(step, outputs);
  }

  let output: unknown = null;
  for (const [index, step] of workflow.steps.entries()) {
    signal?.throwIfAborted();
    const place: StepPlace = { workflow: workflow.name, workflowId, step: step.name, index: index + 1, of: workflow.steps.length };
    const report = (event: StepEvent): void => notify(onProgress, { ...event, ...place });
    report({ type: 'step_started' });
    try {
      output = await runStep(step, report);
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

interface EndedCall {
  readonly call: WorkflowCall | undefined;
  readonly output?: unknown;
  readonly replayed?: boolean | undefined;
  readonly error?: { readonly thrown: unknown } | undefined;
}

function failureOf(workflow: string, step: WorkflowStep, steps: WorkflowResult['steps'], ended: readonly EndedCall[]): WorkflowError {
  const failed = ended.flatMap(({ call, error }) => (error === undefined ? [] : [{ branch: call?.branch, ...error }]));
  const what = failed.map(({ branch, thrown }) => `${branch === undefined ? '' : `${branch}: `}${messageOf(thrown)}`).join(' ');
  const hasBranches = ended.some(({ call }) => call?.branch !== undefined);
  const finished = ended.length - failed.length;
  const kept = hasBranches && finished > 0 ? ` ${finished} of ${ended.length} branches finished; their results are in error.branches.` : '';
  const resultOf = ({ output, error }: EndedCall): BranchResult => (error === undefined ? { output } : { error: messageOf(error.thrown) });
  const branches = hasBranches ? Object.fromEntries(ended.map((each) => [each.call?.branch ?? '', resultOf(each)])) : undefined;
  const message = `Step "${step.name}" of the workflow "${workflow}" failed. ${what}${kept}`;
  return new WorkflowError(message, { workflow, step: step.name, steps: { ...steps }, branches, cause: failed[0]?.thrown });
}
