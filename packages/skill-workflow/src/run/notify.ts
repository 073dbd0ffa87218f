import type { WorkflowProgress, WorkflowProgressListener } from './workflow-progress.ts';

/**
 * Reports progress. Whatever the listener throws is ignored: a broken display must not break a
 * workflow.
 */
export function notify(listener: WorkflowProgressListener | undefined, progress: WorkflowProgress): void {
  try {
    listener?.(progress);
  } catch {
    // The run goes on.
  }
}
