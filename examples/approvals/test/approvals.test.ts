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
import { answerWithLangChain } from '../src/langchain.ts';
import { answerWithOpenAiAgents } from '../src/openai-agents.ts';
import { unstorageApprovalStore } from '../src/stores.ts';

setTracingDisabled(true);

type Person = (question: SkillQuestion) => Promise<SkillAnswer['answer']>;
/** One message, to a model that loads the skill; returns what the model was told. */
type Ask = (skillset: Skillset, person: Person) => Promise<string>;

const load = { name: 'helper' };

const hosts: Readonly<Record<string, Ask>> = {
  async LangChain(skillset, person) {
    const model = scriptedModel([{ toolCalls: [{ toolCallId: 'c1', toolName: 'load_skill', input: load }] }, { text: 'Done.' }]);
    const chat = { skillset, model, checkpointer: new MemorySaver(), thread: 'one' };
    expect(await answerWithLangChain(chat, 'Help.', person)).toBe('Done.');
    return JSON.stringify(model.calls.at(-1));
  },
  async 'OpenAI Agents SDK'(skillset, person) {
    const model = new ScriptedModel([[functionCall('load_skill', load, { callId: 'c1' })], [assistantMessage('Done.')]]);
    expect(await answerWithOpenAiAgents({ skillset, model }, 'Help.', person)).toBe('Done.');
    return JSON.stringify(model.lastCall?.request.input);
  },
};

describe.each(Object.entries(hosts))('APR-10: the example for the %s', (_name, ask) => {
  it('APR-10: asks a person, carries each answer back, and asks again with a diff after a change', async () => {
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

it('APR-10: an answer for the content answers the other calls of that step too', async () => {
  const provider = new SkillRegistry({ skills: [{ name: 'helper', description: 'Helps.', body: 'Words.' }], label: 'web', trusted: false });
  const skillset = createSkillset({ provider, approvals: skillApprovals() });
  const calls = ['c1', 'c2'].map((callId) => functionCall('load_skill', load, { callId }));
  const model = new ScriptedModel([calls, [assistantMessage('Done.')]]);
  let asked = 0;
  const person: Person = async () => {
    asked += 1;
    return 'content';
  };
  expect(await answerWithOpenAiAgents({ skillset, model }, 'Help.', person)).toBe('Done.');
  expect(asked).toBe(1);
  expect(JSON.stringify(model.lastCall?.request.input)).toContain('Words.');
});
