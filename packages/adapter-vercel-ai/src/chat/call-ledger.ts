import { SkillError } from '@repertoire/skills-core';
import { notRunText, ranAlreadyText } from '@repertoire/skills-core/internal';
import type { ToolSet } from 'ai';
import type { ChatKey } from './chat-store.ts';
import type { ChatWriter } from './chat-writer.ts';

/** What a tool is told of the call that it answers. */
export interface SkillCall {
  /**
   * The same for the same call, on every machine, and for no other one: an idempotency key for
   * whatever the tool calls. 43 characters of base64url.
   */
  readonly id: string;
}

/** Skill tools that only read. The others have effects, like all tools of the host. */
const readingRoles: ReadonlySet<unknown> = new Set([
  'load',
  'search',
  'unload',
  'readFile',
  'loadResource',
  'loadAsset',
  'list',
  'listResources',
  'listAssets',
]);

/** Options of {@link withLedger}. */
export interface CallLedgerOptions {
  readonly key: ChatKey;
  readonly writer: ChatWriter;
  /** Id of the message that the calls belong to. */
  readonly message: string;
  /** What a page and a later turn read of an error. */
  readonly errorText: (error: unknown) => string;
}

/**
 * Tools whose calls are written down: that they began, before they run, and how they ended. A call
 * that cannot be written down does not run.
 */
export function withLedger(tools: ToolSet, options: CallLedgerOptions): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, isReading(tool) ? tool : ledgered(name, tool, options)]));
}

/**
 * The call that a tool answers, from the options of its `execute`; `undefined` outside of a chat.
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

function isReading({ execute, metadata }: ToolSet[string]): boolean {
  return execute === undefined || readingRoles.has((metadata?.['repertoire'] as { readonly role?: unknown } | undefined)?.role);
}

type Execute = NonNullable<ToolSet[string]['execute']>;
type Call = Parameters<Execute>[1];

function ledgered(name: string, tool: ToolSet[string], { key, writer, message, errorText }: CallLedgerOptions): ToolSet[string] {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const dynamic = tool.type === 'dynamic';
  const begin = async (call: Call, input: unknown): Promise<Call> => {
    const { toolCallId: id, abortSignal } = call;
    abortSignal?.throwIfAborted();
    if (!(await writer.start({ id, tool: name, input, message, dynamic }))) throw new SkillError('conflict', ranAlreadyText(name));
    const skillCall: SkillCall = { id: await idOf(key, id) };
    if (abortSignal?.aborted !== true) return { ...call, skillCall } as Call;
    await writer.end(id, { error: notRunText(name) });
    throw abortSignal.reason as Error;
  };
  const failed = async ({ toolCallId, abortSignal }: Call, error: unknown): Promise<never> => {
    // What was stopped in the middle may have happened.
    if (abortSignal?.aborted !== true) await writer.end(toolCallId, { error: errorText(error) });
    throw error;
  };
  const whole: Execute = async (input, given) => {
    const call = await begin(given, input);
    let output: unknown;
    try {
      output = await execute.call(tool, input, call);
    } catch (error) {
      return await failed(call, error);
    }
    await writer.end(call.toolCallId, { output });
    return output;
  };
  const inPieces: Execute = async function* (input, given) {
    const call = await begin(given, input);
    let output: unknown;
    try {
      const result: unknown = execute.call(tool, input, call);
      if (isAsyncIterable(result)) for await (output of result) yield output;
      else output = await result;
    } catch (error) {
      return await failed(call, error);
    }
    await writer.end(call.toolCallId, { output });
    // The last one is the result.
    yield output;
  };
  // Only an async function surely returns no iterable.
  return { ...tool, execute: execute.constructor.name === 'AsyncFunction' ? whole : inPieces };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Ids of calls come from models, and may be the same in two conversations. */
async function idOf({ person, chat }: ChatKey, call: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify([person, chat, call]))));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .slice(0, 43);
}
