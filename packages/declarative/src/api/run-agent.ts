import type { BaseMessage } from '@langchain/core/messages';
import type { AgentInput, AgentState } from '../graph/agent-graph.ts';
import { compileAgent } from './compile-agent.ts';
import type { CompileAgentOptions } from './compile-agent-options.ts';

/** Options of {@link runAgent}. */
export interface RunAgentOptions extends CompileAgentOptions {
  /** What a person says; or the channels of the state to begin with. */
  readonly input: string | AgentInput;
  /** The conversation, where a checkpointer keeps it. @default none */
  readonly threadId?: string | undefined;
  /** The most steps of the graph. @default 25 */
  readonly recursionLimit?: number | undefined;
  /** What the host tells of the request: `context` of the run. @default nothing */
  readonly context?: Record<string, unknown> | undefined;
}

/** What an agent gave. */
export interface AgentRun {
  /** The text of the last message. */
  readonly text: string;
  readonly messages: readonly BaseMessage[];
  readonly state: AgentState;
}

/**
 * Compiles an agent and runs it once. Compile it yourself where it runs more than once.
 *
 * @throws {SkillError} what `compileAgent` throws; `agent-failed` where an expression or an answer of the model fails
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { runAgent } from '@repertoire/declarative';
 *
 * export async function ask(text: string, model: BaseChatModel): Promise<string> {
 *   const run = await runAgent(text, { models: { main: model }, input: 'Where is my parcel?' });
 *   return run.text;
 * }
 * ```
 */
export async function runAgent(text: string, options: RunAgentOptions): Promise<AgentRun> {
  const { input, threadId, recursionLimit, context, signal } = options;
  const graph = await compileAgent(text, options);
  const given: AgentInput = typeof input === 'string' ? { messages: [{ role: 'user', content: input }] } : input;
  const result: unknown = await graph.invoke(given, {
    ...(threadId !== undefined && { configurable: { thread_id: threadId } }),
    ...(recursionLimit !== undefined && { recursionLimit }),
    ...(signal !== undefined && { signal }),
    ...(context !== undefined && { context }),
  });
  // A run that writes nothing gives nothing.
  const state = { messages: [], loaded_skills: {}, loaded_tools: {}, ...(result as object | undefined) } as unknown as AgentState;
  return { text: state.messages.at(-1)?.text ?? '', messages: state.messages, state };
}
