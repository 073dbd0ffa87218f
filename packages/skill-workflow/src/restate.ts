// Anything added here is public API.
export { runRestateWorkflow, type RestateContextLike } from './engines/restate.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
