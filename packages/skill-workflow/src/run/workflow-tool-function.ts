/** What a tool, or the model, is told about the call. */
export interface WorkflowCallContext {
  /** Name of the workflow. */
  readonly workflow: string;
  /** Id of the call: `search`, or `research/flights` for a branch. */
  readonly call: string;
  /** `<workflow id>:<call>`, the same if repeated. `undefined` if the run has no id. */
  readonly idempotencyKey: string | undefined;
  /** 1 for the first attempt in this process. */
  readonly attempt: number;
  /** Aborted when the run is aborted, or the call takes longer than its time limit. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A tool as a workflow calls it. It may run twice: an engine repeats the call that was running when
 * the process died.
 *
 * @returns JSON; `undefined` counts as `null`
 */
export type WorkflowToolFunction = (input: Readonly<Record<string, unknown>>, context: WorkflowCallContext) => unknown;

/** A tool with the JSON Schema of its input. */
export interface WorkflowToolWithSchema {
  readonly execute: WorkflowToolFunction;
  /** JSON Schema of an object. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool of the host. */
export type WorkflowTool = WorkflowToolFunction | WorkflowToolWithSchema;

/** The tools that a workflow may call, by the names that skills use. */
export type WorkflowTools = Readonly<Record<string, WorkflowTool>>;

/** What a prompt step asks the model. */
export interface GenerateRequest {
  /** The system prompt. */
  readonly system: string;
  /** The message: the prompt of the step, and its input. */
  readonly prompt: string;
}

/** Asks a model for a text. `aiSdkGenerate` and `langchainGenerate` make one. */
export type Generate = (request: GenerateRequest, context: WorkflowCallContext) => Promise<string>;

/** What a step asks a person. */
export interface ApprovalRequest {
  readonly question: string;
  /** What the step shows, with its references resolved. */
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Asks a person, and waits for the answer. The answer is recorded; if the process dies before, the
 * question is asked again with the same `idempotencyKey`, so that the host can find the question
 * that it has already shown.
 *
 * @returns `true` for yes; everything else is a no
 */
export type Approve = (request: ApprovalRequest, context: WorkflowCallContext) => Promise<boolean> | boolean;

/** The function of a tool; `undefined` if there is no tool of this name. */
export function toolFunction(tools: WorkflowTools, name: string): WorkflowToolFunction | undefined {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return typeof tool === 'function' ? tool : tool?.execute;
}
