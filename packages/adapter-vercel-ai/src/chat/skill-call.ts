import { hashText } from '@repertoire/skills-core/internal';
import type { ToolSet } from 'ai';
import type { ChatKey } from './chat-store.ts';

/** What a tool is told of the call that it answers. */
export interface SkillCall {
  /**
   * The same for the same call, on every machine, and for no other one: an idempotency key for
   * whatever the tool calls. 22 characters of base64url.
   */
  readonly id: string;
}

/**
 * Returns the call that a tool answers, from the options of its `execute`; `undefined` outside of a
 * chat.
 *
 * @example
 * ```ts
 * import { skillCallOf } from '@repertoire/adapter-vercel-ai/chat';
 * import { tool, type Tool } from 'ai';
 * import { z } from 'zod';
 *
 * export const refund = (pay: (order: string, idempotencyKey: string | undefined) => Promise<string>): Tool<{ order: string }, string> =>
 *   tool({
 *     inputSchema: z.object({ order: z.string() }),
 *     execute: async ({ order }, options) => await pay(order, skillCallOf(options)?.id),
 *   });
 * ```
 */
export function skillCallOf(options: object): SkillCall | undefined {
  return (options as { readonly skillCall?: SkillCall }).skillCall;
}

/** Tools of the host that are told their call, also inside the agent of a fork. */
export function withSkillCalls(tools: ToolSet, { person, chat }: ChatKey): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const { execute } = tool;
      if (execute === undefined) return [name, tool];
      // Ids of calls come from models, and may be the same in two conversations.
      const told = new Proxy(execute, {
        apply(_, __, [input, options]: Parameters<typeof execute>) {
          const skillCall: SkillCall = { id: hashText(JSON.stringify([person, chat, options.toolCallId])) };
          return execute.call(tool, input, { ...options, skillCall } as typeof options) as unknown;
        },
      });
      return [name, { ...tool, execute: told }];
    }),
  );
}
