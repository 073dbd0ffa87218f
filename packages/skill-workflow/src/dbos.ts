// Anything added here is public API.
export { dbosEngine, type DbosEngineOptions } from './engines/dbos-engine.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
