import { composeProviders, createSkillset, skillApprovals, type SkillQuestion } from '@repertoire/skills-core';
import { loadedSkill } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';
import { changingSource, deskOf, helper, sharedStore } from '../../helpers/approval-world.ts';

const load = { name: 'helper' };

describe('a load of a skill that nobody approved', () => {
  it('APR-1: asks before anything of it is shown, and says where it comes from and what it asks for', async () => {
    const { provider } = changingSource([helper()]);
    const desk = deskOf(provider);
    const { text, questions } = await desk.call('load_skill', load, 'c1');
    expect(text).toBe(
      'Error (needs-approval): load_skill needs the approval of a person, because of helper. Ask the user to approve it, or go on without it.',
    );
    expect(text).not.toContain('First line');
    expect(desk.state.loaded).toEqual({});
    const [question] = questions as [SkillQuestion];
    const content = (await provider.getSkill('helper'))?.content;
    expect(question).toMatchObject({
      kind: 'load',
      tool: 'load_skill',
      input: { name: 'helper' },
      skills: [{ name: 'helper', source: 'web', place: 'helper', version: null, trusted: false, content }],
      grants: ['load', 'tools', 'allowed-tools', 'scripts', 'model'],
      canRemember: true,
      asks: [
        { grant: 'load', what: [] },
        { grant: 'tools', what: ['pay'] },
        { grant: 'allowed-tools', what: ['search'] },
        { grant: 'scripts', what: ['scripts/a.sh'] },
        { grant: 'model', what: ['large'] },
        { grant: 'code-tools', what: ['bash', 'write_*'] },
      ],
      body: 'First line.\nSecond line.',
    });
    expect(question.files?.map(({ path, size }) => [path, size])).toEqual([
      ['guide.md', 8],
      ['scripts/a.sh', 6],
    ]);
    expect(question).not.toHaveProperty('changes');
    expect(JSON.parse(JSON.stringify(question))).toEqual(question);
    expect(desk.events.filter(({ type }) => type === 'skill_approval_requested')).toEqual([
      {
        type: 'skill_approval_requested',
        question: question.id,
        kind: 'load',
        skill: 'helper',
        version: null,
        source: 'web',
        trusted: false,
        content,
        grants: ['load', 'tools', 'allowed-tools', 'scripts', 'model'],
      },
    ]);
  });

  it('APR-1: a tool that is executed without an answer refuses with the same question', async () => {
    const skillset = createSkillset({ provider: changingSource([helper()]).provider, approvals: skillApprovals() });
    const session = await skillset.open();
    const [tool] = session.tools;
    const result = await tool!.execute(load, { state: session.state([]), callId: 'c1' });
    expect([result.error?.code, result.question?.kind, result.events]).toEqual(['needs-approval', 'load', []]);
    const verdict = await session.judgeCall(session.state([]), { tool: 'load_skill', input: load, id: 'c1' });
    expect(verdict.decision === 'needs-approval' && verdict.question.id).toBe(result.question?.id);
  });

  it('APR-2: trusted skills are not asked about, and nothing is read from the store for them', async () => {
    const reads: string[] = [];
    const store = { ...sharedStore(), get: (key: string) => void reads.push(key) };
    const desk = deskOf(changingSource([helper()], 'own', true).provider, { store });
    const { text, questions } = await desk.call('load_skill', load, 'c1');
    expect([text.includes('First line'), questions, await desk.judge('pay'), await desk.model()]).toEqual([true, [], 'allowed', 'large']);
    expect(await desk.judge('bash')).toBe('allowed');
    expect(reads).toEqual([]);
  });

  it('APR-2: without approvals an untrusted skill is read, and has no effect', async () => {
    const desk = deskOf(changingSource([helper()]).provider, {}, { approvals: undefined });
    const { text, questions } = await desk.call('load_skill', load, 'c1');
    expect([text.includes('First line'), questions]).toEqual([true, []]);
    expect([await desk.judge('pay'), await desk.judge('search'), await desk.judge('bash'), await desk.model()]).toEqual([
      'denied',
      'allowed',
      'allowed',
      undefined,
    ]);
  });
});

describe('an answer', () => {
  it('APR-3: gives what the skill asks for, and no more', async () => {
    const desk = deskOf(changingSource([helper()]).provider);
    const { text } = await desk.call('load_skill', load, 'c1', () => 'conversation');
    expect(text).toContain('First line.');
    expect([await desk.judge('pay'), await desk.judge('search'), await desk.model()]).toEqual(['allowed', 'pre-approved', 'large']);
    expect(await desk.judge('bash')).toBe('needs-approval');
  });

  it.each(['once', 'conversation', 'content'] as const)('APR-3: a grant that was not given has no effect (%s)', async (answer) => {
    const desk = deskOf(changingSource([helper()]).provider);
    await desk.call('load_skill', load, 'c1', () => ({ answer, grants: ['load', 'model'] }));
    expect([await desk.judge('pay'), await desk.judge('search'), await desk.model()]).toEqual(['denied', 'allowed', 'large']);
  });

  it('APR-3: a yes without `load` loads nothing', async () => {
    const desk = deskOf(changingSource([helper()]).provider);
    const { text } = await desk.call('load_skill', load, 'c1', () => ({ answer: 'once', grants: ['tools'] }));
    expect(text).toBe('Error (permission-denied): A person did not approve skill "helper". Go on without it.');
    expect(desk.state.loaded).toEqual({});
  });

  it('APR-4: once is for this load; a new one asks again', async () => {
    const desk = deskOf(changingSource([helper()]).provider);
    await desk.call('load_skill', load, 'c1', () => 'once');
    expect(await desk.judge('pay')).toBe('allowed');
    expect((await desk.call('load_skill', load, 'c2')).questions).toHaveLength(1);
    expect((await desk.call('load_skill', load, 'c1')).questions).toHaveLength(1);
  });

  it('APR-4: for the conversation is until it is unloaded, and in no other conversation', async () => {
    const { provider } = changingSource([helper()]);
    const store = sharedStore();
    const [one, other] = [deskOf(provider, { store, codeTools: [] }), deskOf(provider, { store })];
    await one.call('load_skill', load, 'c1', () => 'conversation');
    expect((await one.call('load_skill', load, 'c2')).questions).toEqual([]);
    expect((await other.call('load_skill', load, 'c1')).questions).toHaveLength(1);
    await one.call('unload_skill', load, 'c3');
    expect((await one.call('load_skill', load, 'c4')).questions).toHaveLength(1);
  });

  it('APR-4: for the content is for every conversation of the scope, also after a restart', async () => {
    const { provider } = changingSource([helper()]);
    const store = sharedStore();
    const options = { store, scope: ({ tenant }: { tenant: string }) => tenant };
    const desk = (tenant: string) => deskOf(provider, options, { context: { tenant } });
    await desk('a').call('load_skill', load, 'c1', () => 'content');
    const later = desk('a');
    expect((await later.call('load_skill', load, 'c1')).questions).toEqual([]);
    expect(await later.judge('pay')).toBe('allowed');
    expect((await desk('b').call('load_skill', load, 'c1')).questions).toHaveLength(1);
  });

  it('APR-4: never is for the skill, whatever its content, until it is revoked', async () => {
    const { provider, replace } = changingSource([helper()]);
    const store = sharedStore();
    const desk = deskOf(provider, { store });
    const inbox = skillApprovals({ store }).inbox(undefined);
    await desk.call('load_skill', load, 'c1', () => 'never');
    const { text, questions } = await desk.call('load_skill', load, 'c2', () => 'content');
    expect([text.startsWith('Error (permission-denied)'), questions]).toEqual([true, []]);
    replace(helper({ body: 'Other.' }));
    expect((await desk.call('load_skill', load, 'c3')).questions).toEqual([]);
    replace(helper());
    expect((await desk.call('load_skill', load, 'c4')).questions).toEqual([]);
    await inbox.revoke({ source: 'web', place: 'helper', version: null });
    expect((await desk.call('load_skill', load, 'c5')).questions).toHaveLength(1);
  });

  it('APR-5: counts only if it names the question, and for that call', async () => {
    const { provider, replace } = changingSource([helper()]);
    const store = sharedStore();
    const skillset = createSkillset({ provider, approvals: skillApprovals({ store }) });
    const session = await skillset.open();
    const state = session.state([]);
    const ask = async (id: string) => {
      const { approvals } = await skillset.open();
      return await approvals?.ask(state, { tool: 'load_skill', input: load, id });
    };
    const question = (await ask('c1'))!;
    for (const bad of [true, 'once', null, {}, ['once'], { answer: 'ONCE' }, { answer: true }, { question: question.id }])
      expect(await session.approvals!.answer(question.id, bad as never)).toBe(false);
    expect(await ask('c1')).toBeDefined();
    expect(await session.approvals!.answer(question.id, { answer: 'once' })).toBe(true);
    // The answer was for this call. Another one is another question.
    expect([await ask('c1'), (await ask('c2'))?.id === question.id]).toEqual([undefined, false]);
    expect(await session.approvals!.answer(question.id, { answer: 'content' })).toBe(false);
    // The bytes change before the call is made: the yes was for others.
    replace(helper({ resources: { 'guide.md': 'Another guide.' } }));
    const result = await (await skillset.open()).tools[0]!.execute(load, { state, callId: 'c1' });
    expect([result.error?.code, result.question?.id === question.id]).toEqual(['needs-approval', false]);
  });

  it('APR-5: a state cannot claim one', async () => {
    const { provider } = changingSource([helper()]);
    const desk = deskOf(provider);
    await desk.call('load_skill', load, 'c1', () => 'conversation');
    const entry = loadedSkill(desk.state, 'helper')!;
    const claims = [undefined, 'load-0', 'skill-0', entry.approval!.slice(0, -1)];
    for (const approval of claims) {
      desk.state = { loaded: { helper: { ...entry, approval } } };
      expect([await desk.judge('pay'), (await desk.call('read_skill_file', { skill: 'helper', path: 'guide.md' }, 'r')).text]).toEqual([
        'denied',
        'Error (needs-approval): Skill "helper" may not be used here until a person approves it. Load it again to ask.',
      ]);
    }
    desk.state = { loaded: { helper: entry } };
    expect(await desk.judge('pay')).toBe('allowed');
  });

  it('APR-5: a store that fails grants nothing, and says so', async () => {
    const { provider } = changingSource([helper()]);
    const store = sharedStore();
    const codes: string[] = [];
    const desk = deskOf(provider, { store }, { onDiagnostic: ({ code }) => codes.push(code) });
    await desk.call('load_skill', load, 'c1', () => 'content');
    store.get = () => Promise.reject(new Error('down'));
    expect([await desk.judge('pay'), (await desk.call('load_skill', load, 'c2')).questions.length]).toEqual(['denied', 1]);
    expect(codes).toContain('approval-store-failed');
    store.get = async () => 'not json';
    expect(await desk.judge('pay')).toBe('denied');
  });
});

describe('a change', () => {
  it('APR-6: of any file ends a remembered answer, and the next question says what changed', async () => {
    const { provider, replace } = changingSource([helper()]);
    const store = sharedStore();
    const desk = deskOf(provider, { store });
    await desk.call('load_skill', load, 'c1', () => 'content');
    const since = (await provider.getSkill('helper'))?.content;
    replace(helper({ body: 'First line.\nAnother line.', resources: { 'guide.md': 'A guide, longer.', 'more.md': 'More.' } }));
    expect(await desk.judge('pay')).toBe('denied');
    const [question] = (await desk.call('load_skill', load, 'c2')).questions;
    expect(question?.changes).toEqual({
      since,
      at: '2026-01-02T03:04:05.000Z',
      added: ['more.md'],
      removed: ['scripts/a.sh'],
      changed: ['guide.md'],
      diff: '  First line.\n- Second line.\n+ Another line.',
    });
    expect(desk.events).toContainEqual(expect.objectContaining({ type: 'skill_approval_revoked', reason: 'changed' }));
    // It stays revoked when the old content is back, and the comparison stays possible.
    replace(helper());
    const [again] = (await desk.call('load_skill', load, 'c3')).questions;
    expect(again?.changes).toMatchObject({ since, added: [], removed: [], changed: [], diff: '' });
  });

  it.each(['once', 'conversation'] as const)(
    'APR-6: after %s too, the next question says what changed, and nothing is remembered',
    async (answer) => {
      const { provider, replace } = changingSource([helper()]);
      const store = sharedStore();
      const desk = deskOf(provider, { store });
      await desk.call('load_skill', load, 'c1', () => answer);
      const other = deskOf(provider, { store });
      const [same] = (await other.call('load_skill', load, 'c1')).questions;
      expect(same).toMatchObject({ kind: 'load' });
      expect(same?.changes).toBeUndefined();
      replace(helper({ body: 'First line.\nAnother line.' }));
      const [question] = (await desk.call('load_skill', load, 'c2')).questions;
      expect(question?.changes).toMatchObject({ changed: [], diff: '  First line.\n- Second line.\n+ Another line.' });
      expect(desk.events.filter(({ type }) => type === 'skill_approval_revoked')).toEqual([]);
    },
  );

  it('APR-6: an unpinned skill is asked about each time, and gets nothing but its text', async () => {
    const open = helper({ resources: { 'guide.md': () => 'now' } });
    const desk = deskOf(changingSource([open]).provider);
    const { questions, text } = await desk.call('load_skill', load, 'c1', () => 'content');
    expect(questions[0]).toMatchObject({ canRemember: false, grants: ['load'], skills: [{ content: null }] });
    expect(text).toContain('First line.');
    expect([await desk.judge('pay'), await desk.model(), await desk.judge('bash')]).toEqual(['denied', undefined, 'needs-approval']);
    const other = deskOf(changingSource([open]).provider);
    expect((await other.call('load_skill', load, 'c1')).questions).toHaveLength(1);
  });
});

describe('the acting gate', () => {
  const both = () =>
    composeProviders([
      changingSource([{ name: 'own', description: 'Own.', allowedTools: ['bash'], body: 'Use bash.' }], 'own', true).provider,
      changingSource([helper()]).provider,
    ]);

  it('APR-7: a call of a tool that executes code is asked about while the skill stands in the context, whatever another pre-approves', async () => {
    const desk = deskOf(both());
    await desk.call('load_skill', { name: 'own' }, 'c0');
    expect(await desk.judge('bash')).toBe('pre-approved');
    await desk.call('load_skill', load, 'c1', () => 'conversation');
    expect([await desk.judge('bash'), await desk.judge('write_file'), await desk.judge('search')]).toEqual([
      'needs-approval',
      'needs-approval',
      'pre-approved',
    ]);
    const { text, questions } = await desk.call('bash', { command: 'ls' }, 'c2', () => 'once');
    expect([text, questions[0]?.kind, questions[0]?.skills.map(({ name }) => name)]).toEqual(['ran', 'call', ['helper']]);
    // The yes was for this call and this input.
    expect([await desk.judge('bash', { command: 'rm' }, 'c2'), await desk.judge('bash', { command: 'ls' }, 'c3')]).toEqual([
      'needs-approval',
      'needs-approval',
    ]);
  });

  it('APR-7: an answer for the conversation or the content gives the grant', async () => {
    const { provider } = changingSource([helper()]);
    const store = sharedStore();
    const one = deskOf(provider, { store });
    await one.call('load_skill', load, 'c1', () => 'conversation');
    await one.call('bash', {}, 'c2', () => 'conversation');
    expect(await one.judge('bash', { command: 'other' })).toBe('allowed');
    const two = deskOf(provider, { store });
    await two.call('load_skill', load, 'c1', () => 'content');
    await two.call('bash', {}, 'c2', () => 'content');
    const three = deskOf(provider, { store });
    await three.call('load_skill', load, 'c1');
    expect(await three.judge('bash')).toBe('allowed');
  });

  it('APR-7: a changed skill still stands in the context, and cannot be unloaded out of the question', async () => {
    const { provider, replace } = changingSource([helper()]);
    const desk = deskOf(provider);
    await desk.call('load_skill', load, 'c1', () => ({ answer: 'conversation', grants: ['load', 'code-tools'] }));
    expect(await desk.judge('bash')).toBe('allowed');
    replace(helper({ body: 'Other.' }));
    expect(await desk.judge('bash')).toBe('needs-approval');
    expect((await desk.call('unload_skill', load, 'c2')).text).toContain('stays active');
    expect(loadedSkill(desk.state, 'helper')).toBeDefined();
    replace();
    expect(await desk.judge('bash')).toBe('needs-approval');
  });

  it('APR-7: while the source cannot answer, such a call is refused', async () => {
    const skillset = createSkillset({ provider: changingSource([helper()]).provider, approvals: skillApprovals({ codeTools: ['bash'] }) });
    const state = { loaded: {} };
    expect(skillset.judgeCallOffline(state, 'bash', new Error('down')).decision).toBe('denied');
    expect(skillset.judgeCallOffline(state, 'search', new Error('down')).decision).toBe('allowed');
    expect(() =>
      createSkillset({ skills: [], conversation: { activation: 'single' }, approvals: skillApprovals({ codeTools: ['bash'] }) }),
    ).toThrow(/codeTools/);
  });
});

describe('other skills', () => {
  it('APR-8: a nested skill needs an approval of its own', async () => {
    const inner = helper({ name: 'inner', body: 'Inner.' });
    const desk = deskOf(changingSource([helper({ resources: { 'inner/SKILL.md': 'Inner.' } }), inner]).provider);
    await desk.call('load_skill', load, 'c1', () => 'content');
    expect((await desk.call('read_skill_file', { skill: 'helper', path: 'inner/SKILL.md' }, 'c2')).text).toContain('Inner.');
    expect((await desk.call('load_skill', { name: 'inner' }, 'c3')).questions[0]?.skills).toMatchObject([{ name: 'inner' }]);
  });

  it('APR-8: a read across sources is asked about for each call, and names both', async () => {
    const own = { name: 'own', description: 'Own.', body: 'Own.', resources: { 'keys.md': 'Own keys.' } };
    const provider = composeProviders([changingSource([own], 'own', true).provider, changingSource([helper()]).provider]);
    const desk = deskOf(provider);
    const read = { skill: 'own', path: 'keys.md' };
    expect((await desk.call('read_skill_file', read, 'c0')).text).toContain('Own keys.');
    await desk.call('load_skill', load, 'c1', () => 'content');
    const asked = await desk.call('read_skill_file', read, 'c2', () => 'content');
    expect(asked.questions[0]).toMatchObject({
      kind: 'read',
      skills: [
        { name: 'helper', source: 'web' },
        { name: 'own', source: 'own' },
      ],
    });
    expect(asked.text).toContain('Own keys.');
    expect((await desk.call('read_skill_file', read, 'c2')).questions).toHaveLength(1);
    expect((await desk.call('read_skill_file', { skill: 'helper', path: 'guide.md' }, 'c3')).questions).toEqual([]);
  });

  it('APR-8: files of a skill that a person must approve are read after its load', async () => {
    const desk = deskOf(changingSource([helper()]).provider);
    expect((await desk.call('read_skill_file', { skill: 'helper', path: 'guide.md' }, 'c1')).text).toBe(
      'Error (needs-approval): Files of skill "helper" are read only after it is loaded. Call load_skill first, so that a person can approve it.',
    );
  });
});

describe('the policy', () => {
  it('APR-9: says which grants need a person; what fails needs all', async () => {
    const trusted = changingSource([helper()], 'own', true).provider;
    const strict = deskOf(trusted, { needs: () => ['tools'] });
    const { questions } = await strict.call('load_skill', load, 'c1', () => ({ answer: 'once', grants: [] }));
    expect(questions[0]?.grants).toEqual(['tools']);
    expect([await strict.judge('pay'), await strict.model()]).toEqual(['denied', 'large']);
    const broken = deskOf(trusted, {
      needs: () => {
        throw new Error('no');
      },
    });
    expect((await broken.call('load_skill', load, 'c1')).questions[0]?.grants).toContain('load');
    // What nobody is asked about stays without effect in an untrusted skill.
    const reading = deskOf(changingSource([helper()]).provider, { needs: () => [] });
    expect((await reading.call('load_skill', load, 'c1')).questions).toEqual([]);
    expect([await reading.judge('pay'), await reading.judge('bash')]).toEqual(['denied', 'allowed']);
  });

  it('APR-9: options that do not exist or cannot work are refused', () => {
    expect(() => skillApprovals({ codeTool: [] } as never)).toThrow(/codeTools/);
    expect(() => skillApprovals({ store: {} } as never)).toThrow(/store/);
    expect(() => skillApprovals({ codeTools: 'bash' } as never)).toThrow(/codeTools/);
  });
});
