import type { SkillError } from '@repertoire/skills-core';
import type { ModelMessage, ToolSet } from 'ai';

/** Options of {@link gateTool}. */
export interface GateToolOptions {
  /** Names of the skills that open the tool; none where it is open from the start. */
  readonly openedBy: readonly string[];
  /** Why a call is refused; `null` where it is not. */
  readonly refusal: (input: unknown, messages: readonly ModelMessage[]) => SkillError | null;
  /** Keeps the tool out of the model's context until its skill tells of it, which Anthropic's API can. @default false */
  readonly deferred?: boolean | undefined;
}

/**
 * A tool of the host that refuses to run while it is locked. The refusal is thrown, as the SDK wants it: it becomes a `tool-error` whose text the model reads,
 * the loop goes on, and the type of the tool's output stays what it is.
 *
 * The check stands in the tool's own `execute`, because that is the one place that every way to it passes: also the run of a call that a person approved
 * earlier, for which the SDK asks neither `activeTools` nor `prepareStep`.
 */
export function gateTool<TOOL extends ToolSet[string]>(tool: TOOL, { openedBy, refusal, deferred = false }: GateToolOptions): TOOL {
  const { execute, metadata, providerOptions } = tool;
  const gated = {
    ...tool,
    ...(openedBy.length > 0 && { metadata: { ...metadata, repertoire: { openedBy: [...openedBy] } } }),
    ...(deferred && { providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.['anthropic'], deferLoading: true } } }),
  };
  if (execute === undefined) return gated;
  const refuseOrExecute: NonNullable<ToolSet[string]['execute']> = (input, options) => {
    const error = refusal(input, options.messages);
    if (error !== null) throw error;
    return execute.call(tool, input, options);
  };
  return { ...gated, execute: refuseOrExecute };
}
