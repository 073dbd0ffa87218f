// Anything added here is public API.
export { durableAgent, type DurableAgent } from './agent/durable-agent.ts';
export type { DurableEngine } from './agent/durable-engine.ts';
