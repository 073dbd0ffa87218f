/**
 * A workflow: the `steps` of a skill after they were checked. It is plain JSON, so an engine can
 * record it. A run that is resumed continues with the recorded workflow, even if the skill changed
 * in between.
 */
export interface Workflow {
  /** Name of the skill. */
  readonly name: string;
  /** Version of the skill; `null` if it has none. */
  readonly version: string | null;
  /** The steps, in the order in which they run. */
  readonly steps: readonly WorkflowStep[];
}

/** One step: it calls a tool, calls several tools in parallel, asks the model, or asks a person. */
export type WorkflowStep = WorkflowToolStep | WorkflowFanOutStep | WorkflowPromptStep | WorkflowApprovalStep;

/** What every step can have. */
export interface WorkflowStepRules {
  /** A reference. The step is skipped if it leads to `false`, `null`, 0, `''` or an empty list. */
  readonly when?: string;
  /** How often each call of the step is tried, and how long one attempt may take. */
  readonly policy?: { readonly attempts?: number; readonly retryDelayMs?: number; readonly timeoutMs?: number };
}

/** A step of any kind. */
export interface WorkflowNamedStep extends WorkflowStepRules {
  /** Unique in the workflow. */
  readonly name: string;
}

/** Runs a step with one call once for each element of a list. */
export interface WorkflowEachRule {
  /** A reference to the list. `$.item` is the element and `$.index` its place, from 0. */
  readonly forEach?: string;
}

/** Arguments as the author wrote them: literals and references such as `$.input.city`. */
export type WorkflowArguments = Readonly<Record<string, unknown>>;

/** A step that calls one tool. Its output is the result of the tool. */
export interface WorkflowToolStep extends WorkflowNamedStep, WorkflowEachRule {
  readonly type: 'tool';
  readonly tool: string;
  readonly input: WorkflowArguments;
}

/** Calls several tools in parallel. Its output is an object with one field for each branch. */
export interface WorkflowFanOutStep extends WorkflowNamedStep {
  readonly type: 'tools';
  readonly branches: readonly WorkflowBranch[];
}

/** One tool call of a fan-out step. */
export interface WorkflowBranch {
  /** Name of the branch, by default that of its tool. Unique in the step. */
  readonly name: string;
  readonly tool: string;
  readonly input: WorkflowArguments;
}

/** A step that asks the model and calls no tool. Its output is the text of the answer. */
export interface WorkflowPromptStep extends WorkflowNamedStep, WorkflowEachRule {
  readonly type: 'prompt';
  readonly prompt: string;
  /** Replaces the default system prompt of prompt steps. */
  readonly systemPrompt?: string;
  readonly input: WorkflowArguments;
}

/** A step that asks a person. Its output is `true`; if the person says no, the workflow ends. */
export interface WorkflowApprovalStep extends WorkflowNamedStep {
  readonly type: 'approval';
  readonly question: string;
  readonly input: WorkflowArguments;
}
