import {
  createSkillset,
  emptySkillState,
  skillApprovals,
  SkillRegistry,
  type SkillAnswer,
  type SkillApprovalStore,
} from '@repertoire/skills-core';
import { expect } from 'vitest';

/** Plays processes that share nothing but a store: an answer counts in another one, for its tenant and its content, until it is deleted. */
export async function expectStore(store: SkillApprovalStore): Promise<void> {
  /** A process of its own, which asks about one content; returns what it would do, and what the question said. */
  const ask = async (body: string, tenant: string, answer: SkillAnswer['answer'] = 'no') => {
    const skillset = createSkillset<{ tenant: string }>({
      provider: new SkillRegistry({
        skills: [{ name: 'helper', description: 'Helps.', body, resources: { 'a.md': body } }],
        label: 'web',
        trusted: false,
      }),
      approvals: skillApprovals({ store, scope: (context) => context.tenant }),
    });
    const session = await skillset.open({ context: { tenant } });
    const verdict = await session.judgeCall(emptySkillState, { tool: 'load_skill', input: { name: 'helper' }, id: `${tenant} ${body}` });
    if (verdict.decision !== 'needs-approval') {
      const load = session.tools.find(({ role }) => role === 'load');
      const result = await load?.execute({ name: 'helper' }, { state: emptySkillState, callId: `${tenant} ${body}` });
      return result?.text.includes('<skill_content') === true ? 'loaded' : 'refused';
    }
    const call = { tool: 'load_skill', input: { name: 'helper' }, id: `${tenant} ${body}` };
    const question = await session.approvals?.ask(emptySkillState, call);
    // In a process of its own, which knows the id alone.
    const later = await skillset.open({ context: { tenant } });
    await later.approvals?.answer(question?.id ?? '', { answer }, 'Ada');
    return question?.changes?.changed ?? 'asked';
  };
  expect(await ask('One.', 'a')).toBe('asked');
  expect(await ask('One.', 'a', 'content')).toBe('asked');
  expect(await ask('One.', 'a')).toBe('loaded');
  expect(await ask('One.', 'b')).toBe('asked');
  // A yes for one load waits in the store for its call, and is not an answer about the content.
  expect(await ask('One.', 'b', 'once')).toBe('asked');
  expect(await ask('One.', 'b')).toBe('loaded');
  expect(await ask('Two.', 'a')).toEqual(['a.md']);
  // The change ended it, also for the old content.
  expect(await ask('One.', 'a')).not.toBe('loaded');
  // Whoever takes at once, one gets it.
  await store.set('one', '"text"');
  const taken = await Promise.all([1, 2, 3].map(async () => await store.take('one')));
  expect(taken.filter((value) => value !== undefined && value !== null)).toHaveLength(1);
  expect((await store.get('one')) ?? undefined).toBeUndefined();
  expect(await ask('Two.', 'a', 'never')).toEqual(['a.md']);
  expect(await ask('Two.', 'a')).toBe('refused');
  expect(await ask('Three.', 'a')).toBe('refused');
}
