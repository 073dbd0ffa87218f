// Anything added here is public API.
export {
  checkWorkflow,
  parseWorkflow,
  type CheckWorkflowOptions,
  type ParseWorkflowOptions,
  type WorkflowSkill,
} from './parse/parse-workflow.ts';
export type { WorkflowProblem, WorkflowSource } from './parse/workflow-problem.ts';
export { executeWorkflow, type WorkflowResult } from './run/execute-workflow.ts';
export type { RunStep } from './run/run-step.ts';
export { runWorkflow, type RunWorkflowOptions } from './run/run-workflow.ts';
export type { StepPolicy } from './run/step-policy.ts';
export { WorkflowError } from './run/workflow-error.ts';
export { progressLine, type WorkflowProgress } from './run/workflow-progress.ts';
export type { ApprovalRequest, Generate, GenerateRequest, WorkflowCallContext, WorkflowTools } from './run/workflow-tool-function.ts';
export type { Workflow, WorkflowStep } from './workflow.ts';
export { skillWorkflows, type SkillWorkflowsOptions } from './tool/skill-workflows.ts';
