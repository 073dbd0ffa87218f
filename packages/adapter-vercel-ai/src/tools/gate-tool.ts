import type { SkillError } from '@repertoire/skills-core';
import type { ModelMessage, ToolExecutionOptions, ToolSet } from 'ai';

/** Options of {@link gateTool}. */
export interface GateToolOptions {
  /** Names of the skills that open the tool. */
  readonly openedBy: readonly string[];
  /** Whether the tool is closed until a skill opens it. */
  readonly isGated: boolean;
  /** Why a call is refused; `null` if it is allowed. */
  readonly refusal: (input: unknown, call: Pick<ToolExecutionOptions<unknown>, 'messages' | 'toolCallId'>) => Promise<SkillError | null>;
  /** Whether a call would be refused. */
  readonly isDenied: (input: unknown, call: { readonly messages: ModelMessage[] }) => Promise<boolean>;
  /**
   * Keeps the tool out of the model's context until its skill refers to it, which Anthropic's API
   * supports.
   * @default false
   */
  readonly deferred?: boolean | undefined;
}

type Execute = NonNullable<ToolSet[string]['execute']>;
type NeedsApproval = NonNullable<ToolSet[string]['needsApproval']>;

/**
 * A tool of the host that refuses to run while it is closed. The refusal is thrown, as the SDK
 * expects: it becomes a `tool-error` whose text the model reads, the loop continues, and the output
 * type of the tool does not change.
 *
 * The check is in the tool's own `execute`, because every path to the tool goes through it. One
 * such path is the run of a call that a person approved earlier, for which the SDK consults neither
 * `activeTools` nor `prepareStep`.
 */
export function gateTool<TOOL extends ToolSet[string]>(tool: TOOL, options: GateToolOptions): TOOL {
  const { execute, metadata, providerOptions, needsApproval } = tool;
  const { openedBy, isGated, deferred = false, isDenied } = options;
  const gated = {
    ...tool,
    ...(needsApproval !== undefined && { needsApproval: askUnlessDenied(tool, needsApproval, isDenied) }),
    ...(isGated && { metadata: { ...metadata, repertoire: { openedBy: [...openedBy] } } }),
    ...(deferred && { providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.['anthropic'], deferLoading: true } } }),
  };
  if (execute === undefined) return gated;
  return { ...gated, execute: returnsPromise(execute) ? guardedCall(tool, execute, options) : guardedStream(tool, execute, options) };
}

function askUnlessDenied(tool: ToolSet[string], needsApproval: NeedsApproval, isDenied: GateToolOptions['isDenied']): NeedsApproval {
  return async (input: unknown, call: { readonly messages: ModelMessage[] }) => {
    if (await isDenied(input, call)) return false;
    return typeof needsApproval === 'function' ? await needsApproval.call(tool, input as never, call as never) : needsApproval;
  };
}

function guardedCall(tool: ToolSet[string], execute: Execute, { refusal }: GateToolOptions): Execute {
  return async (input, call) => {
    const error = await refusal(input, call);
    if (error !== null) throw error;
    return execute.call(tool, input, call) as unknown;
  };
}

/** Streams stay streams. A plain function's result is also reported as preliminary. */
function guardedStream(tool: ToolSet[string], execute: Execute, { refusal }: GateToolOptions): Execute {
  return async function* (input, call) {
    const error = await refusal(input, call);
    if (error !== null) throw error;
    const result: unknown = execute.call(tool, input, call);
    if (isAsyncIterable(result)) yield* result;
    else yield await result;
  };
}

/** Only an async function surely returns no iterable. */
function returnsPromise(execute: Execute): boolean {
  return execute.constructor.name === 'AsyncFunction';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
