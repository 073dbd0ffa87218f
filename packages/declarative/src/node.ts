// Anything added here is public API.
export {
  checkAgentFile,
  loadAgentFile,
  readAgentFile,
  runAgentFile,
  type AgentFile,
  type AgentFileCheck,
  type AgentHost,
  type CheckAgentFileOptions,
  type ReadAgentFileOptions,
  type RunAgentFileOptions,
} from './node/load-agent-file.ts';
