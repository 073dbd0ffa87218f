import { run, type Agent, type Model, type RunState } from '@openai/agents-core';
import { openAiAgentsSkills, type RunQuestions } from '@repertoire/adapter-openai-agents';
import type { SkillAnswer, Skillset } from '@repertoire/skills-core';

/** Runs that may wait for a person, as texts. A `Map` is one; yours is a table. */
export interface RunTexts {
  get(name: string): string | undefined | Promise<string | undefined>;
  keys(): Iterable<string> | Promise<Iterable<string>>;
  set(name: string, text: string): unknown;
  delete(name: string): unknown;
}

/** Conversations that may wait for a person. */
export interface Conversations {
  /** For a page of people who answer. */
  readonly questions: Pick<RunQuestions<{ name: string }, 'text'>, 'list' | 'one'>;
  /** The answer to a message; nothing while the conversation waits. */
  say(name: string, text: string): Promise<string | undefined>;
  /** A person's answer, days later and in any process; what the agent says then. */
  answer(name: string, question: string, answer: SkillAnswer): Promise<string | undefined>;
}

/** The texts and the store of approvals have all, so each process may open this anew. */
export function openAiAgentsConversations(skillset: Skillset, model: Model, texts: RunTexts): Conversations {
  const skills = openAiAgentsSkills<{ name: string }>(skillset, { conversation: ({ name }) => name });
  const agent = skills.agent({ name: 'helper', model });
  const questions = skills.questions(agent, texts, (name) => ({ name }));
  const go = async (input: string | RunState<{ name: string }, Agent<{ name: string }>>, name: string): Promise<string | undefined> => {
    const result = await run(agent, input, { context: { name } });
    if (result.interruptions.length === 0) await texts.delete(name);
    else await texts.set(name, result.state.toString());
    return result.interruptions.length === 0 ? result.finalOutput : undefined;
  };
  return {
    questions,
    say: (name, text) => go(text, name),
    async answer(name, question, answer) {
      const state = await questions.answer(name, question, answer);
      return state && (await go(state, name));
    },
  };
}
