// Anything added here is public API.
export { runCloudflareWorkflow, type CloudflareEventLike, type CloudflareWorkflowOptions } from './engines/cloudflare-workflow.ts';
export { cloudflareEngine, type CloudflareStepLike } from './engines/cloudflare-engine.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
