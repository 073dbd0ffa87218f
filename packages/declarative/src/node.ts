// Anything added here is public API.
export { loadAgentFile, readAgentFile, type AgentFile, type ReadAgentFileOptions } from './node/load-agent-file.ts';
