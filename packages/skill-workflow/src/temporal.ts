// Anything added here is public API.
export {
  temporalAgentActivities,
  type TemporalAgentActivities,
  type TemporalAgentActivitiesOptions,
  type TemporalAgentCall,
} from './engines/temporal-agent-activities.ts';
export { temporalAgent, type TemporalAgentOptions, type TemporalAgentParts } from './engines/temporal-agent.ts';
export type { DurableWorkflowRequest } from './engines/durable-workflow.ts';
export { temporalActivities, type TemporalActivitiesOptions, type TemporalSkillActivities } from './engines/temporal-activities.ts';
export type { TemporalActivityContext } from './engines/temporal-heartbeat.ts';
export { temporalWorkflow, type TemporalWorkflowModule, type TemporalWorkflowOptions } from './engines/temporal-workflow.ts';
