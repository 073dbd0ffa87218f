import { setTracingDisabled } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { MemorySaver } from '@langchain/langgraph';
import {
  createSkillset,
  skillApprovals,
  SkillRegistry,
  type SkillAnswer,
  type SkillProvider,
  type SkillQuestion,
  type Skillset,
} from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createStorage } from 'unstorage';
import { describe, expect, it } from 'vitest';
import { langChainConversations, type Conversations as LangChainConversations } from '../src/langchain.ts';
import { openAiAgentsConversations, type Conversations as OpenAiAgentsConversations } from '../src/openai-agents.ts';
import { unstorageApprovalStore } from '../src/stores.ts';

setTracingDisabled(true);

type Person = (question: SkillQuestion) => Promise<SkillAnswer['answer']>;
type Conversations = LangChainConversations | OpenAiAgentsConversations;
/**
 * One message, to a model that loads the skill in these calls; each question is answered in another
 * process than it was asked in. Returns what the model was told.
 */
type Ask = (skillset: Skillset, person: Person, calls?: readonly string[]) => Promise<string>;

const load = { name: 'helper' };

async function converse(open: () => Conversations, person: Person): Promise<void> {
  let said = await open().say('one', 'Help.');
  while (said === undefined) {
    const { questions } = open();
    const [waiting] = await questions.list();
    if (waiting === undefined) throw new Error('Nobody is asked.');
    said = await open().answer('one', waiting.question.id, { answer: await person(waiting.question) });
  }
  expect([said, await open().questions.list()]).toEqual(['Done.', []]);
}

const hosts: Readonly<Record<string, Ask>> = {
  async LangChain(skillset, person, calls = ['c1']) {
    const toolCalls = calls.map((toolCallId) => ({ toolCallId, toolName: 'load_skill', input: load }));
    const model = scriptedModel([{ toolCalls }, { text: 'Done.' }]);
    const checkpointer = new MemorySaver();
    await converse(() => langChainConversations(skillset, model, checkpointer), person);
    return JSON.stringify(model.calls.at(-1));
  },
  async 'OpenAI Agents SDK'(skillset, person, calls = ['c1']) {
    const model = new ScriptedModel([calls.map((callId) => functionCall('load_skill', load, { callId })), [assistantMessage('Done.')]]);
    const texts = new Map<string, string>();
    await converse(() => openAiAgentsConversations(skillset, model, texts), person);
    return JSON.stringify(model.lastCall?.request.input);
  },
};

describe.each(Object.entries(hosts))('APR-10: the example for the %s', (_name, ask) => {
  it('APR-10, HST-3: asks a person, carries each answer back after a restart, and asks again with a diff after a change', async () => {
    let body = 'Old words.';
    const inner = () => new SkillRegistry({ skills: [{ name: 'helper', description: 'Helps.', body }], label: 'web', trusted: false });
    const provider: SkillProvider = {
      label: 'web',
      listSkills: (options) => inner().listSkills(options),
      getSkill: (...given) => inner().getSkill(...given),
      readResource: (...given) => inner().readResource(...given),
      contentOf: async (...given) => await inner().contentOf?.(...given),
    };
    const skillset = createSkillset({ provider, approvals: skillApprovals({ store: unstorageApprovalStore(createStorage()) }) });
    const asked: SkillQuestion[] = [];
    const says =
      (answer: SkillAnswer['answer']): Person =>
      async (question) => {
        asked.push(question);
        return answer;
      };

    expect(await ask(skillset, says('no'))).not.toContain('Old words.');
    expect(await ask(skillset, says('once'))).toContain('Old words.');
    expect(await ask(skillset, says('content'))).toContain('Old words.');
    expect(asked).toHaveLength(3);
    expect(await ask(skillset, says('no'))).toContain('Old words.');
    expect(asked).toHaveLength(3);

    body = 'New words.';
    expect(await ask(skillset, says('never'))).not.toContain('New words.');
    expect(asked).toHaveLength(4);
    expect(asked[3]?.changes?.diff).toBe('- Old words.\n+ New words.');
    expect(await ask(skillset, says('content'))).not.toContain('New words.');
    expect(asked).toHaveLength(4);
  });
});

it('APR-10, HST-3: an answer for the content answers the other calls of that step too', async () => {
  const provider = new SkillRegistry({ skills: [{ name: 'helper', description: 'Helps.', body: 'Words.' }], label: 'web', trusted: false });
  let asked = 0;
  const person: Person = async () => {
    asked += 1;
    return 'content';
  };
  const skillset = createSkillset({ provider, approvals: skillApprovals() });
  expect(await hosts['OpenAI Agents SDK']?.(skillset, person, ['c1', 'c2'])).toContain('Words.');
  expect(asked).toBe(1);
});
