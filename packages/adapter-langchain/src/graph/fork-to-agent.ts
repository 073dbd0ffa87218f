import type { BaseMessage } from '@langchain/core/messages';
import type { SkillFork } from '@repertoire/skills-core/adapter';
import type { RunSkillFork } from '../binding/skills-options.ts';

/** The part of an agent that is called here: what `createAgent` or a graph's `compile` returns. */
export interface ForkAgent {
  invoke(input: { messages: { role: 'user'; content: string }[] }, config: { signal?: AbortSignal }): Promise<{ messages: BaseMessage[] }>;
}

/**
 * Runs skills with `context: fork` in an agent that the host creates for each, and returns its last
 * message. The agent has only what the host gives it: it inherits neither skills nor messages.
 *
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { skillsMiddleware } from '@repertoire/adapter-langchain';
 * import { forkToAgent } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 * import { createAgent } from 'langchain';
 *
 * export const withForks = (skillset: Skillset, model: BaseChatModel) =>
 *   skillsMiddleware(skillset, { fork: forkToAgent(() => createAgent({ model })) });
 * ```
 */
export function forkToAgent(agentOf: (fork: SkillFork) => ForkAgent | Promise<ForkAgent>): RunSkillFork {
  return async (fork, { signal }) => {
    const agent = await agentOf(fork);
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: fork.prompt }] }, signal === undefined ? {} : { signal });
    return messages.at(-1)?.text ?? '';
  };
}
