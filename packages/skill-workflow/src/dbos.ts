// Anything added here is public API.
export { dbosWorkflow, type DbosLike, type DbosWorkflowOptions } from './engines/dbos-workflow.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
