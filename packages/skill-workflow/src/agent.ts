// Anything added here is public API.
export { durableAgent, type DurableAgent, type DurableAgentOptions, type DurableCall } from './agent/durable-agent.ts';
export { memoryEngine, type DurableEngine } from './agent/durable-engine.ts';
export type { DurableSkills, DurableSkillsOptions } from './agent/durable-skills.ts';
export type { RunStep, StepWork } from './run/run-step.ts';
