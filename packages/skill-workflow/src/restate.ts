// Anything added here is public API.
export {
  restateEngine,
  type RestateContextLike,
  type RestateEngineOptions,
  type RestateModule,
  type RestatePromiseLike,
  type RestateStepConfiguration,
} from './engines/restate-engine.ts';
export { runRestateWorkflow, type RestateWorkflowOptions } from './engines/restate-workflow.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
