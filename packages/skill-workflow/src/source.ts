// Anything added here is public API.
export { workflowSource } from './source/workflow-source.ts';
