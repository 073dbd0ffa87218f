import type { SkillError } from '@repertoire/skills-core';
import type { ModelMessage, ToolExecutionOptions, ToolSet } from 'ai';

/** Options of {@link gateTool}. */
export interface GateToolOptions {
  /** Names of the skills that open the tool. */
  readonly openedBy: readonly string[];
  /** Whether the tool is closed until a skill opens it. */
  readonly isGated: boolean;
  /** Why a call is refused; `null` if it is not. */
  readonly refusal: (input: unknown, call: Pick<ToolExecutionOptions<unknown>, 'messages' | 'toolCallId'>) => Promise<SkillError | null>;
  /** Whether a call would be refused. */
  readonly isDenied: (input: unknown, call: { readonly messages: ModelMessage[] }) => Promise<boolean>;
  /** Keeps the tool out of the model's context until its skill tells of it, which Anthropic's API can. @default false */
  readonly deferred?: boolean | undefined;
}

type Execute = NonNullable<ToolSet[string]['execute']>;
type NeedsApproval = NonNullable<ToolSet[string]['needsApproval']>;

/**
 * A tool of the host that refuses to run while it is closed. The refusal is thrown, as the SDK wants it: it becomes a `tool-error` whose text
 * the model reads, the loop goes on, and the type of the tool's output stays what it is.
 *
 * The check stands in the tool's own `execute`, because that is the one place that every way to it passes: also the run of a call that a
 * person approved earlier, for which the SDK asks neither `activeTools` nor `prepareStep`.
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
  return { ...gated, execute: isGenerator(execute) ? guardedStream(tool, execute, options) : guardedCall(tool, execute, options) };
}

/** Nobody is asked about a call that is refused in any case. */
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

/** A tool that streams its results must go on streaming them. */
function guardedStream(tool: ToolSet[string], execute: Execute, { refusal }: GateToolOptions): Execute {
  return async function* (input, call) {
    const error = await refusal(input, call);
    if (error !== null) throw error;
    yield* execute.call(tool, input, call) as AsyncIterable<unknown>;
  };
}

function isGenerator(execute: Execute): boolean {
  return execute.constructor.name === 'AsyncGeneratorFunction';
}
