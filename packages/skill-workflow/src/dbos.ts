// Anything added here is public API.
export { dbosWorkflow, type DbosLike, type DbosWorkflowOptions } from './engines/dbos-workflow.ts';
export { dbosEngine, type DbosEngineOptions, type DbosStepConfiguration } from './engines/dbos-engine.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
