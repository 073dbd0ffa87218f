// Anything added here is public API.
export {
  checkWorkflow,
  parseWorkflow,
  type CheckWorkflowOptions,
  type ParseWorkflowOptions,
  type WorkflowSkill,
} from './parse/parse-workflow.ts';
export type { SourcePosition, WorkflowProblem, WorkflowSource } from './parse/workflow-problem.ts';
export { executeWorkflow, type ExecuteWorkflowOptions, type WorkflowResult } from './run/execute-workflow.ts';
export type { RunStep, StepWork } from './run/run-step.ts';
export { runWorkflow, type RunWorkflowOptions } from './run/run-workflow.ts';
export type { StepPolicies, StepPolicy, StepPolicyRequest } from './run/step-policy.ts';
export { WorkflowError, type BranchResult, type WorkflowErrorDetails } from './run/workflow-error.ts';
export { progressLine, type StepPlace, type WorkflowProgress, type WorkflowProgressListener } from './run/workflow-progress.ts';
export type {
  ApprovalRequest,
  Approve,
  Generate,
  GenerateRequest,
  WorkflowCallContext,
  WorkflowTool,
  WorkflowToolFunction,
  WorkflowTools,
  WorkflowToolWithSchema,
} from './run/workflow-tool-function.ts';
export type {
  Workflow,
  WorkflowApprovalStep,
  WorkflowArguments,
  WorkflowBranch,
  WorkflowEachRule,
  WorkflowFanOutStep,
  WorkflowPromptStep,
  WorkflowStep,
  WorkflowStepRules,
  WorkflowToolStep,
} from './workflow.ts';
export { skillWorkflows, type SkillWorkflowsOptions } from './tool/skill-workflows.ts';
