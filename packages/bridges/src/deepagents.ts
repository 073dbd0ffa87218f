// Anything added here is public API.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export { deepAgentsBackend, type DeepAgentsBackend, type DeepAgentsFile, type DeepAgentsMatch } from './deepagents/deep-agents-backend.ts';
