// Anything added here is public API.
export {
  restateEngine,
  type RestateContextLike,
  type RestateEngineOptions,
  type RestateModule,
  type RestateStepConfiguration,
} from './engines/restate-engine.ts';
export { runRestateWorkflow, type RestateWorkflowOptions } from './engines/restate-workflow.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
