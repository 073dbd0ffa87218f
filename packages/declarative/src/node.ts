// Anything added here is public API.
export {
  checkAgentFile,
  drawAgentFile,
  runAgentFile,
  type AgentFileCheck,
  type CheckAgentFileOptions,
  type RunAgentFileOptions,
} from './node/agent-files.ts';
export { loadAgentFile, readAgentFile, type AgentFile, type ReadAgentFileOptions } from './node/load-agent-file.ts';
export { loadAgentHost, type AgentHost } from './node/load-agent-host.ts';
