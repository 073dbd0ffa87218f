import type { ModelMessage, ToolSet } from 'ai';

/** Options of {@link gateTool}. */
export interface GateToolOptions {
  /** Names of the skills that open the tool. */
  readonly openedBy: readonly string[];
  /** Throws where the tool is locked in this conversation. */
  readonly assertOpen: (messages: readonly ModelMessage[]) => void;
}

/**
 * A tool of the host that refuses to run while it is locked. The refusal is thrown, as the SDK wants it: it becomes a `tool-error` whose text the model reads,
 * the loop goes on, and the type of the tool's output stays what it is.
 *
 * The check stands in the tool's own `execute`, because that is the one place that every way to it passes: also the run of a call that a person approved
 * earlier, for which the SDK asks neither `activeTools` nor `prepareStep`.
 */
export function gateTool<TOOL extends ToolSet[string]>(tool: TOOL, { openedBy, assertOpen }: GateToolOptions): TOOL {
  const { execute, metadata } = tool;
  const gated = { ...tool, metadata: { ...metadata, repertoire: { openedBy: [...openedBy] } } };
  if (execute === undefined) return gated;
  const refuseOrExecute: NonNullable<ToolSet[string]['execute']> = (input, options) => {
    assertOpen(options.messages);
    return execute.call(tool, input, options);
  };
  return { ...gated, execute: refuseOrExecute };
}
