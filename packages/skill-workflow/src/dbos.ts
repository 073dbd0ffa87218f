// Anything added here is public API.
export { dbosWorkflow, type DbosWorkflowOptions } from './engines/dbos-workflow.ts';
export { dbosEngine, type DbosEngineOptions } from './engines/dbos-engine.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
