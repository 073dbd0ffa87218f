// Anything added here is public API.
export { checkAgent, type AgentCheck, type CheckAgentOptions } from './api/check-agent.ts';
export { agentGraph, compileAgent } from './api/compile-agent.ts';
export type { AgentModels, AgentReadOptions, CompileAgentOptions } from './api/compile-agent-options.ts';
export { runAgent, type AgentRun, type AgentStep, type RunAgentOptions } from './api/run-agent.ts';
export type { AgentGraph } from './graph/build-graph.ts';
export type { AgentLlm } from './plan/agent-plan.ts';
export { agentJsonSchema } from './shape/agent-json-schema.ts';
export type { AgentSources } from './sources/open-skills.ts';
