import { INTERRUPT, type BaseCheckpointSaver, type Command } from '@langchain/langgraph';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { skillQuestions, type SkillQuestions } from '@repertoire/adapter-langchain/langgraph';
import type { SkillAnswer, Skillset } from '@repertoire/skills-core';
import { createAgent } from 'langchain';

/** Conversations that may wait for a person. */
export interface Conversations {
  /** For a page of people who answer. */
  readonly questions: Pick<SkillQuestions, 'list' | 'one'>;
  /** The answer to a message; nothing while the conversation waits. */
  say(thread: string, text: string): Promise<string | undefined>;
  /** A person's answer, days later and in any process; what the agent says then. */
  answer(thread: string, question: string, answer: SkillAnswer): Promise<string | undefined>;
}

/** The checkpointer and the store of approvals have all, so each process may open this anew. */
export function langChainConversations(skillset: Skillset, model: BaseChatModel, checkpointer: BaseCheckpointSaver): Conversations {
  const agent = createAgent({ model, checkpointer, middleware: [skillsMiddleware(skillset)] });
  const questions = skillQuestions(checkpointer);
  const go = async (input: Parameters<typeof agent.invoke>[0] | Command, thread: string): Promise<string | undefined> => {
    const result = await agent.invoke(input as Parameters<typeof agent.invoke>[0], { configurable: { thread_id: thread } });
    return INTERRUPT in result ? undefined : result.messages.at(-1)?.text;
  };
  return {
    questions,
    say: (thread, text) => go({ messages: [{ role: 'user', content: text }] }, thread),
    async answer(thread, question, answer) {
      const answered = await questions.answer(thread, question, answer);
      return answered && (await go(answered.command, thread));
    },
  };
}
