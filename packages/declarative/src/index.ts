// Anything added here is public API.
export { agentGraph } from './api/agent-graph.ts';
export { checkAgent, type AgentCheck, type CheckAgentOptions } from './api/check-agent.ts';
export { compileAgent } from './api/compile-agent.ts';
export type { AgentHostOptions, AgentModels, AgentReadOptions, CompileAgentOptions } from './api/compile-agent-options.ts';
export { runAgent, type AgentQuestion, type AgentRun, type AgentStep, type RunAgentOptions } from './api/run-agent.ts';
export type { ExpressionLimits } from './cel/meter.ts';
export { agentProblemCodes, type AgentProblem, type AgentProblemCode } from './document/agent-problem.ts';
export type { AgentGraph, AgentInput, AgentState } from './graph/agent-graph.ts';
export type { AgentBindingOptions, AgentSkillsetOptions } from './graph/agent-skills.ts';
export type { AgentGraphOptions } from './graph/build-graph.ts';
export type { RunWorkflow, WorkflowRequest } from './graph/node-runners.ts';
export type { AgentLlm } from './plan/agent-plan.ts';
export { agentJsonSchema } from './shape/agent-json-schema.ts';
export type { AgentSkillRequest, AgentSources, OpenAgentSource } from './sources/agent-sources.ts';
export { skillCardProvider, type ReadCardFile, type SkillCardProviderOptions } from './sources/skill-card-provider.ts';
