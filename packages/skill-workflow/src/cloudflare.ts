// Anything added here is public API.
export { cloudflareEngine, type CloudflareStepLike } from './engines/cloudflare-engine.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
