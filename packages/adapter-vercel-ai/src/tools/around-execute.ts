import type { ToolSet } from 'ai';

type Execute = NonNullable<ToolSet[string]['execute']>;

/** What a tool of the SDK is told of the call that it answers. */
export type ExecutedCall = Parameters<Execute>[1];

/** What happens around each execution of a tool. */
export interface AroundExecute {
  /** Throws where the tool may not run. */
  before(input: unknown, call: ExecutedCall): Promise<void>;
  /** Called with what the tool threw, before the SDK gets it. */
  failed?(error: unknown, call: ExecutedCall): Promise<void>;
  /** Called with what the tool returned, before the SDK gets it. */
  ended?(output: unknown, call: ExecutedCall): Promise<void>;
}

/**
 * A tool with something around its own `execute`, through which every path to it goes. Streams stay
 * streams. A plain function's result is also reported as preliminary.
 */
export function aroundExecute<TOOL extends ToolSet[string]>(tool: TOOL, { before, failed, ended }: AroundExecute): TOOL {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const whole: Execute = async (input, call) => {
    await before(input, call);
    let output: unknown;
    try {
      output = await execute.call(tool, input, call);
    } catch (error) {
      await failed?.(error, call);
      throw error;
    }
    await ended?.(output, call);
    return output;
  };
  const inPieces: Execute = async function* (input, call) {
    await before(input, call);
    let output: unknown;
    let isStream = false;
    try {
      const result: unknown = execute.call(tool, input, call);
      isStream = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
      if (isStream) for await (output of result as AsyncIterable<unknown>) yield output;
      else output = await result;
    } catch (error) {
      await failed?.(error, call);
      throw error;
    }
    await ended?.(output, call);
    if (!isStream) yield output;
  };
  // Only an async function surely returns no iterable.
  return { ...tool, execute: execute.constructor.name === 'AsyncFunction' ? whole : inPieces };
}
