import { ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { isToolCall } from './is-tool-call.ts';

/** Returns why a call is refused, as a text for the model; `null` if it is allowed. */
export type RefuseCall = (name: string, input: unknown, config: unknown, ofSkill?: string, callId?: string) => Promise<string | null>;

/** So that a middleware around a guarded tool does not ask a person twice. */
const guardedTools = new WeakSet<object>();

/** Whether a tool refuses, and asks, in its own execution. */
export function isGuarded(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && guardedTools.has(tool);
}

/**
 * A tool that refuses in its own execution. Every path to the tool goes through it, whatever a
 * model was shown: without it, a hidden tool that is called anyway would run.
 *
 * It is a proxy, so that class, schema, extras and identity stay the same, and methods that call
 * `invoke` themselves are guarded too.
 */
export function gateTool<Tool extends StructuredToolInterface>(tool: Tool, refuse: RefuseCall, ofSkill?: string): Tool {
  const guarded = (method: 'invoke' | 'call') => async (input: unknown, config?: unknown) => {
    const call = isToolCall(input) ? input : undefined;
    const id = call?.id ?? (config as { readonly toolCallId?: string } | undefined)?.toolCallId;
    const refusal = await refuse(tool.name, call?.args ?? input, config, ofSkill, id);
    if (refusal === null) return tool[method](input as never, config as never);
    return id === undefined ? refusal : new ToolMessage({ content: refusal, tool_call_id: id, name: tool.name, status: 'error' });
  };
  const methods: Readonly<Record<string, unknown>> = { invoke: guarded('invoke'), call: guarded('call') };
  const proxy = new Proxy(tool, {
    get: (target, property) =>
      typeof property === 'string' && Object.hasOwn(methods, property) ? methods[property] : Reflect.get(target, property, target),
  });
  guardedTools.add(proxy);
  return proxy;
}
