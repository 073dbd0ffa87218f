// Anything added here is public API.
export {
  runCloudflareWorkflow,
  type CloudflareEventLike,
  type CloudflareStepConfiguration,
  type CloudflareStepLike,
  type CloudflareWorkflowOptions,
} from './engines/cloudflare-workflow.ts';
export type { DurableWorkflowOptions, DurableWorkflowRequest } from './engines/durable-workflow.ts';
