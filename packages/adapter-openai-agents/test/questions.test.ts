import { run, setTracingDisabled } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { createSkillset, skillApprovals, SkillRegistry, type SkillApprovalStore } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

setTracingDisabled(true);

function records(): SkillApprovalStore {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key),
    set: (key, value) => void texts.set(key, value),
    delete: (key) => void texts.delete(key),
    take: (key) => {
      const text = texts.get(key);
      texts.delete(key);
      return text;
    },
  };
}

/** A process: an agent that may load a skill of somebody else. */
function open(store: SkillApprovalStore, model: ScriptedModel) {
  const helper = { name: 'helper', description: 'Helps.', body: 'The words.' };
  const skillset = createSkillset({
    provider: new SkillRegistry({ skills: [helper], label: 'web', trusted: false }),
    approvals: skillApprovals({ store }),
  });
  const skills = openAiAgentsSkills<{ readonly name: string }>(skillset, { conversation: ({ name }) => name });
  return { skills, agent: skills.agent({ name: 'help', model }) };
}

const load = (callId: string) => functionCall('load_skill', { name: 'helper' }, { callId });
const says = (text: string) => [assistantMessage(text)];

/** Runs that wait with these calls, each in its conversation. */
async function waiting(store: SkillApprovalStore, ...runs: readonly { readonly name: string; readonly calls: readonly string[] }[]) {
  const texts = new Map<string, string>();
  for (const { name, calls } of runs) {
    const { agent } = open(store, new ScriptedModel([calls.map(load), says('Done.')]));
    texts.set(name, (await run(agent, 'Help.', { context: { name } })).state.toString());
  }
  return texts;
}

/** The questions in another process than asked. */
function another(store: SkillApprovalStore, texts: Map<string, string>) {
  const { skills, agent } = open(store, new ScriptedModel([says('Done.')]));
  return { agent, questions: skills.questions(agent, texts, (name) => ({ name })) };
}

describe('questions of runs', () => {
  it('HST-3: are listed, shown and answered in another process than asked, and once is once', async () => {
    const store = records();
    const texts = await waiting(store, { name: 'a', calls: ['c1'] }, { name: 'b', calls: ['c1'] });
    const { agent, questions } = another(store, texts);
    expect((await questions.list()).map(({ run: name, question }) => [name, question.skills[0]?.name, question.body])).toEqual([
      ['a', 'helper', 'The words.'],
      ['b', 'helper', 'The words.'],
    ]);
    const id = (await questions.one('a'))[0]?.question.id ?? '';
    expect([await questions.answer('b', id, { answer: 'once' }), await questions.answer('c', id, { answer: 'once' })]).toEqual([
      undefined,
      undefined,
    ]);
    const state = await questions.answer('a', id, { answer: 'once' }, 'ada');
    if (state === undefined) throw new Error('The question was not found.');
    const after = await run(agent, state);
    expect([after.finalOutput, JSON.stringify(after.history).includes('The words.')]).toEqual(['Done.', true]);
    // The same text again: its question was answered, and the answer taken.
    const again = another(store, texts);
    const second = await again.questions.answer('a', (await again.questions.one('a'))[0]?.question.id ?? '', { answer: 'no' });
    expect(JSON.stringify((await run(again.agent, second ?? '')).history)).not.toContain('The words.');
  });

  it.each([
    ['no', false],
    ['never', false],
    ['content', true],
  ] as const)('HST-3: a %s answers the calls that it is about', async (answer, loads) => {
    const store = records();
    const texts = await waiting(store, { name: 'a', calls: ['c1', 'c2'] });
    const { agent, questions } = another(store, texts);
    const [first, second] = await questions.one('a');
    expect(second?.question.id).not.toBe(first?.question.id);
    const state = await questions.answer('a', first?.question.id ?? '', { answer });
    if (state === undefined) throw new Error('The question was not found.');
    const after = await run(agent, state);
    expect([after.interruptions.length, JSON.stringify(after.history).includes('The words.')]).toEqual([answer === 'no' ? 1 : 0, loads]);
  });
});
