import type { WorkflowProgress, WorkflowProgressListener } from './workflow-progress.ts';

/** Reports progress. Errors of the listener are ignored. */
export function notify(listener: WorkflowProgressListener | undefined, progress: WorkflowProgress): void {
  try {
    listener?.(progress);
  } catch {
    // The run goes on.
  }
}
