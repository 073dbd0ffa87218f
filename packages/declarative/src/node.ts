// Anything added here is public API.
export {
  checkAgentFile,
  runAgentFile,
  type AgentFileCheck,
  type CheckAgentFileOptions,
  type RunAgentFileOptions,
} from './node/agent-files.ts';
export { loadAgentFile, readAgentFile, type AgentFile, type AgentHost, type ReadAgentFileOptions } from './node/load-agent-file.ts';
