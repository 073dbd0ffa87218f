/**
 * A workflow: the `steps` of a skill after they were checked. It is plain JSON, so an engine can record it. A run that is resumed continues with the recorded
 * workflow, even if the skill changed in between.
 */
export interface Workflow {
  /** Name of the skill. */
  readonly name: string;
  /** Version of the skill; `null` if it has none. */
  readonly version: string | null;
  /** The steps, in the order in which they run. */
  readonly steps: readonly WorkflowStep[];
}

/** One step: it calls a tool, calls several tools in parallel, or asks the model. */
export type WorkflowStep = WorkflowToolStep | WorkflowFanOutStep | WorkflowPromptStep;

/** Arguments as the author wrote them: literals and references such as `$.input.city`. */
export type WorkflowArguments = Readonly<Record<string, unknown>>;

/** A step that calls one tool. Its output is the result of the tool. */
export interface WorkflowToolStep {
  readonly type: 'tool';
  /** Unique in the workflow. */
  readonly name: string;
  readonly tool: string;
  readonly input: WorkflowArguments;
}

/** A step that calls several tools in parallel. Its output is an object with one field for each branch, in the order of the branches. */
export interface WorkflowFanOutStep {
  readonly type: 'tools';
  /** Unique in the workflow. */
  readonly name: string;
  readonly branches: readonly WorkflowBranch[];
}

/** One tool call of a fan-out step. */
export interface WorkflowBranch {
  /** Name of the branch: the name of its tool, unless the author gave another one. Unique in the step. */
  readonly name: string;
  readonly tool: string;
  readonly input: WorkflowArguments;
}

/** A step that asks the model and calls no tool. Its output is the text of the answer. */
export interface WorkflowPromptStep {
  readonly type: 'prompt';
  /** Unique in the workflow. */
  readonly name: string;
  readonly prompt: string;
  /** Replaces the default system prompt of prompt steps. */
  readonly systemPrompt?: string;
  readonly input: WorkflowArguments;
}
