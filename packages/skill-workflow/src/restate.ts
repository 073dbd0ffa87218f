// Anything added here is public API.
export { restateEngine } from './engines/restate-engine.ts';
export { runRestateWorkflow, type RestateContextLike } from './engines/restate-workflow.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
