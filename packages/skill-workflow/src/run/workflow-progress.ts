/** What happens in a run. Recorded steps are reported again with `replayed: true`. */
export type WorkflowProgress = StepPlace & StepEvent;

/** What happens in a step. */
export type StepEvent =
  | { readonly type: 'step_started' }
  /** A call failed and is tried again. */
  | { readonly type: 'call_retried'; readonly call: string; readonly attempt: number; readonly error: string }
  /** A branch of a step ended. */
  | { readonly type: 'branch_finished'; readonly branch: string; readonly replayed: boolean }
  | { readonly type: 'branch_failed'; readonly branch: string; readonly error: string }
  /** `replayed`: its result was recorded earlier, and nothing ran. */
  | { readonly type: 'step_finished'; readonly replayed: boolean }
  /** What `when` leads to is empty, so nothing ran. */
  | { readonly type: 'step_skipped' }
  | { readonly type: 'step_failed'; readonly error: string };

/** Which step of which run. */
export interface StepPlace {
  readonly workflow: string;
  /** Id of the run, if it has one. */
  readonly workflowId: string | undefined;
  readonly step: string;
  /** Number of the step, from 1. */
  readonly index: number;
  /** How many steps there are. */
  readonly of: number;
}

/** Gets the progress of a run. Its errors are ignored. */
export type WorkflowProgressListener = (progress: WorkflowProgress) => void;

/** Reports progress. Errors of the listener are ignored. */
export function notify(listener: WorkflowProgressListener | undefined, progress: WorkflowProgress): void {
  try {
    listener?.(progress);
  } catch {
    // The run goes on.
  }
}

/**
 * Formats progress as one line for a terminal or a log: `math-workflow 2/3 second-add: finished`.
 *
 * @example
 * ```ts
 * import { progressLine, type WorkflowProgress } from '@repertoire/skill-workflow';
 *
 * export const onProgress = (progress: WorkflowProgress): void => console.error(progressLine(progress));
 * ```
 */
export function progressLine(progress: WorkflowProgress): string {
  return `${progress.workflow} ${progress.index}/${progress.of} ${progress.step}: ${whatHappened(progress)}`;
}

function whatHappened(progress: WorkflowProgress): string {
  switch (progress.type) {
    case 'step_started':
      return 'started';
    case 'call_retried':
      return `attempt ${progress.attempt} of ${progress.call} failed, trying again: ${progress.error}`;
    case 'branch_finished':
      return `${progress.branch} ${finished(progress.replayed)}`;
    case 'branch_failed':
      return `${progress.branch} failed: ${progress.error}`;
    case 'step_finished':
      return finished(progress.replayed);
    case 'step_skipped':
      return 'skipped';
    case 'step_failed':
      return `failed: ${progress.error}`;
  }
}

function finished(replayed: boolean): string {
  return replayed ? 'finished earlier' : 'finished';
}
