import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { BaseMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import type { AgentGraph, AgentInput, AgentState } from '../graph/build-graph.ts';
import { compileAgent, compileAgentRules } from './compile-agent.ts';
import type { CompileAgentOptions } from './compile-agent-options.ts';

/** What a run did just now. */
export interface AgentStep {
  /** The node that ran. */
  readonly node: string;
  /** The messages that it wrote. */
  readonly messages: readonly BaseMessage[];
}

/** What an agent stopped for: a node of the type `interrupt`, or a tool that asks. */
export interface AgentQuestion {
  readonly id: string;
  readonly value: unknown;
}

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
  /**
   * Answers what the agent stops for. @default the run ends there, and `questions` of the result
   * says what it asks
   */
  readonly answer?: ((question: AgentQuestion) => unknown) | undefined;
  /** Called for each node that ran, in order. @default ignored */
  readonly onStep?: ((step: AgentStep) => void) | undefined;
}

/** What an agent gave. */
export interface AgentRun {
  /** The text of the last message. */
  readonly text: string;
  readonly messages: readonly BaseMessage[];
  readonly state: AgentState;
  /** What the agent waits for, where nobody answered. Empty for a run that came to its end. */
  readonly questions: readonly AgentQuestion[];
}

/** The most times that one run asks: an agent that asks for ever would never end. */
const maxRounds = 100;

const knownOptions: OptionRules<RunAgentOptions> = {
  ...compileAgentRules,
  input: { string: true, '{}': true },
  threadId: 'string',
  recursionLimit: 'number',
  context: '{}',
  answer: '()',
  onStep: '()',
};

/**
 * Compiles an agent and runs it once. Compile it yourself where it runs more than once. Without a
 * checkpointer among the options, one in memory lets the agent ask.
 *
 * @throws {SkillError} what `compileAgent` throws; `agent-failed` where an expression or an answer
 *   of the model fails; `limit-exceeded` for an agent that asks more than 100 times
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
  assertKnownOptions('runAgent', options, knownOptions);
  const { input, answer, threadId = 'run', recursionLimit: _limit, context: _context, onStep: _onStep, ...compiled } = options;
  const graph = await compileAgent(text, { ...compiled, graph: { checkpointer: new MemorySaver(), ...options.graph } });
  let given: AgentInput | Command = typeof input === 'string' ? { messages: [{ role: 'user', content: input }] } : input;
  for (let round = 0; round <= maxRounds; round += 1) {
    const { values, questions } = await runOnce(graph, given, { ...options, threadId });
    if (questions.length === 0 || answer === undefined) {
      // A run that writes nothing gives nothing.
      const state = { messages: [], loaded_skills: {}, loaded_tools: {}, ...values } as unknown as AgentState;
      return { text: state.messages.at(-1)?.text ?? '', messages: state.messages, state, questions };
    }
    const answers: Record<string, unknown> = {};
    for (const question of questions) answers[question.id] = await answer(question);
    given = new Command({ resume: answers });
  }
  throw new SkillError(
    'limit-exceeded',
    `The agent asked more than ${maxRounds} times. Look at the edges that lead back to the node that asks.`,
  );
}

async function runOnce(
  graph: AgentGraph,
  given: AgentInput | Command,
  { threadId, recursionLimit, signal, context, onStep }: RunAgentOptions,
): Promise<{ readonly values: object; readonly questions: readonly AgentQuestion[] }> {
  let values: object = {};
  const questions: AgentQuestion[] = [];
  const stream = await graph.stream(given, {
    streamMode: ['updates', 'values'] as const,
    configurable: { thread_id: threadId },
    ...(recursionLimit !== undefined && { recursionLimit }),
    ...(signal !== undefined && { signal }),
    ...(context !== undefined && { context }),
  });
  for await (const [mode, chunk] of stream as AsyncIterable<['updates' | 'values', Readonly<Record<string, unknown>>]>) {
    if (mode === 'values') {
      const { __interrupt__: _asked, ...rest } = chunk;
      values = rest;
      continue;
    }
    for (const [node, update] of Object.entries(chunk)) {
      if (node === '__interrupt__') questions.push(...(update as readonly AgentQuestion[]).map(({ id, value }) => ({ id, value })));
      else onStep?.({ node, messages: messagesOf(update) });
    }
  }
  return { values, questions };
}

function messagesOf(update: unknown): readonly BaseMessage[] {
  // Several commands of one node are a list.
  return [update].flat().flatMap((part) => (part as { readonly messages?: BaseMessage[] } | null)?.messages ?? []);
}
