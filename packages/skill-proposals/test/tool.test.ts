import {
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type SkillDefinition,
  type SkillSession,
  type SkillState,
} from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { memoryProposalStore, rejectProposal, skillProposals, type SkillProposalStore } from '../src/index.ts';
import { skillMd } from './support/library.ts';

const refunds: SkillDefinition = {
  name: 'refunds',
  description: 'Refunds. Use for refunds.',
  body: 'Ask first. Then pay.',
  skillMd: skillMd('refunds', 'Ask first. Then pay.'),
};
interface Context {
  readonly thread?: string;
}

function skillsetOf(store: SkillProposalStore, skills: readonly SkillDefinition[] = [refunds]) {
  const events: unknown[] = [];
  const skillset = createSkillset<Context>({
    provider: new SkillRegistry({ skills }),
    onEvent: (event) => events.push(event),
    proposals: skillProposals({ store, from: ({ thread }) => ({ conversation: thread, author: 'acme', model: 'm' }) }),
  });
  return { skillset, events };
}

async function call(session: SkillSession, tool: string, input: unknown, state: SkillState = emptySkillState) {
  const found = session.tools.find(({ name }) => name === tool);
  const result = await found?.execute(input, { state });
  return { text: result?.text ?? '', code: result?.error?.code, state: session.apply(state, result?.events ?? []) };
}
const fresh = (body: string) => ({
  skill: 'fresh',
  reason: 'Asked three times.',
  files: [{ path: 'SKILL.md', text: skillMd('fresh', body) }],
});

describe('propose_skill', () => {
  it('PRP-3: is there only where the host takes proposals, also with an empty library', async () => {
    const without = await createSkillset({ skills: [refunds] }).open();
    expect(without.tools.map(({ name }) => name)).not.toContain('propose_skill');
    const session = await skillsetOf(memoryProposalStore(), []).skillset.open({ context: {} });
    expect(session.tools.map(({ name }) => name)).toEqual(['propose_skill']);
    expect(() => createSkillset({ skills: [], proposals: memoryProposalStore() as never })).toThrow('skillProposals');
    expect(() => skillProposals({ store: memoryProposalStore(), stor: 1 } as never)).toThrow('no option');
  });

  it('PRP-3: keeps a new skill for a person, and changes nothing that any session sees', async () => {
    const store = memoryProposalStore();
    const { skillset, events } = skillsetOf(store);
    const session = await skillset.open({ context: { thread: 't1' } });
    const before = { text: session.catalog.text, tools: JSON.stringify(session.tools) };
    const answer = await call(session, 'propose_skill', fresh('Do it.'));
    expect(answer.text).toBe(
      'The proposal for skill "fresh" is noted. A person will look at it; until then nothing changes. Go on with your task.',
    );
    const [id = ''] = await store.list();
    expect((await store.read(id))?.proposal).toMatchObject({ skill: 'fresh', base: null, conversation: 't1', author: 'acme', model: 'm' });
    expect(events).toContainEqual({ type: 'skill_proposed', skill: 'fresh', proposal: id });
    const after = await skillset.open({ context: { thread: 't2' } });
    expect({ text: after.catalog.text, tools: JSON.stringify(after.tools) }).toEqual(before);
    expect((await call(after, 'load_skill', { name: 'fresh' })).code).toBe('skill-not-found');
  });

  it('PRP-3: a change is made in the pinned content of a loaded skill, and only there', async () => {
    const store = memoryProposalStore();
    const session = await skillsetOf(store).skillset.open({ context: { thread: 't1' } });
    const change = { skill: 'refunds', reason: 'Too fast.', edits: [{ path: 'SKILL.md', old: 'Then pay.', new: 'Then wait.' }] };
    expect((await call(session, 'propose_skill', change)).code).toBe('not-loaded');
    const loaded = await call(session, 'load_skill', { name: 'refunds' });
    expect(
      (await call(session, 'propose_skill', { ...change, edits: [{ path: 'SKILL.md', old: 'e', new: '' }] }, loaded.state)).text,
    ).toContain('occurs more than once');
    expect((await call(session, 'propose_skill', change, loaded.state)).code).toBeUndefined();
    const [id = ''] = await store.list();
    const proposal = (await store.read(id))?.proposal;
    expect(proposal?.base).toMatchObject({ source: 'code', content: loaded.state.loaded['refunds']?.content });
  });

  it('PRP-3: at most three in a conversation, also at once, and conversations without a name share them', async () => {
    const store = memoryProposalStore();
    const { skillset } = skillsetOf(store);
    const session = await skillset.open({ context: { thread: 't1' } });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((body) => call(session, 'propose_skill', fresh(body))));
    expect(answers.filter(({ code }) => code === undefined)).toHaveLength(3);
    expect(answers.filter(({ code }) => code === 'limit-exceeded')).toHaveLength(2);
    const others = await Promise.all(
      ['f', 'g', 'h', 'i'].map(async (body) => call(await skillset.open({ context: {} }), 'propose_skill', fresh(body))),
    );
    expect(others.filter(({ code }) => code === undefined)).toHaveLength(3);
    expect(await store.list()).toHaveLength(6);
  });

  it('PRP-3: a text that was turned down does not come back', async () => {
    const store = memoryProposalStore();
    const { skillset } = skillsetOf(store);
    await call(await skillset.open({ context: { thread: 't1' } }), 'propose_skill', fresh('Do it.'));
    const [id = ''] = await store.list();
    await rejectProposal(store, id, { by: 'ada' });
    // A reason is for people, and they gave none.
    expect((await store.read(id))?.decisions.at(-1)).toMatchObject({ type: 'rejected', by: 'ada', reason: '' });
    const again = await call(await skillset.open({ context: { thread: 't2' } }), 'propose_skill', fresh('Do it.'));
    expect(again).toMatchObject({ code: 'permission-denied', text: expect.stringContaining('turned it down') });
    expect(await store.list()).toEqual([id]);
  });

  it.each([
    ['no object', 'x'],
    ['files that are no list of texts', { skill: 'fresh', reason: 'x', files: [{ path: 1 }] }],
    ['no skill', { reason: 'x' }],
  ])('PRP-3: answers %s in words', async (_, input) => {
    const session = await skillsetOf(memoryProposalStore()).skillset.open({ context: {} });
    expect(await call(session, 'propose_skill', input)).toMatchObject({ code: 'invalid-input' });
  });
});
