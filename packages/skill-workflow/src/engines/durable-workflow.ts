import type { ExecuteWorkflowOptions } from '../run/execute-workflow.ts';
import type { Workflow } from '../workflow.ts';

/** What a durable run is started with, as JSON. */
export interface DurableWorkflowRequest {
  /** From `parseWorkflow`. A skill that changes later does not change this run. */
  readonly workflow: Workflow;
  /** What `$.input` leads to. @default {} */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** What every process brings itself: functions cannot be recorded. */
export type DurableWorkflowOptions = Omit<ExecuteWorkflowOptions, 'input' | 'runStep' | 'workflowId' | 'signal'>;
