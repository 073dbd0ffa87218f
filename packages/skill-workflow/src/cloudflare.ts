// Anything added here is public API.
export {
  runCloudflareWorkflow,
  type CloudflareEventLike,
  type CloudflareStepConfiguration,
  type CloudflareStepLike,
  type CloudflareWorkflowOptions,
} from './engines/cloudflare-workflow.ts';
export { cloudflareEngine, type CloudflareEngineOptions } from './engines/cloudflare-engine.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
