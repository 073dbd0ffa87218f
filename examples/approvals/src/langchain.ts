import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { Command, INTERRUPT } from '@langchain/langgraph';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import type { SkillAnswer, SkillQuestion, Skillset } from '@repertoire/skills-core';
import { createAgent } from 'langchain';

/** What a conversation is made of. */
export interface Chat {
  readonly skillset: Skillset;
  readonly model: BaseChatModel;
  readonly checkpointer: BaseCheckpointSaver;
  readonly thread: string;
}

/**
 * Answers a message. Where a person must approve, the graph stops with an interrupt. It can go on
 * days later and in another process, since the checkpointer and the store of approvals have all.
 */
export async function answerWithLangChain(
  { skillset, model, checkpointer, thread }: Chat,
  text: string,
  person: (question: SkillQuestion) => Promise<SkillAnswer['answer']>,
): Promise<string> {
  const agent = createAgent({ model, checkpointer, middleware: [skillsMiddleware(skillset)] });
  const config = { configurable: { thread_id: thread } };
  let result = await agent.invoke({ messages: [{ role: 'user', content: text }] }, config);
  for (;;) {
    const interrupts = (result as { [INTERRUPT]?: { id: string; value: SkillQuestion }[] })[INTERRUPT] ?? [];
    if (interrupts.length === 0) return result.messages.at(-1)?.text ?? '';
    const resume: Record<string, SkillAnswer & { question: string }> = {};
    for (const { id, value } of interrupts) resume[id] = { question: value.id, answer: await person(value) };
    result = await agent.invoke(new Command({ resume }), config);
  }
}
