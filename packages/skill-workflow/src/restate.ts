// Anything added here is public API.
export {
  restateEngine,
  runRestateWorkflow,
  type RestateContextLike,
  type RestateEngineOptions,
  type RestateModule,
  type RestateStepConfiguration,
  type RestateWorkflowOptions,
} from './engines/restate-engine.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
