import {
  createSkillset,
  emptySkillState,
  skillApprovals,
  SkillRegistry,
  type SkillApprovalsOptions,
  type SkillApprovalStore,
  type SkillDefinition,
  type SkillQuestion,
  type SkillState,
} from '@repertoire/skills-core';
import { findSnippets } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { changingSource, deskOf, helper, sharedStore } from '../../helpers/approval-world.ts';

const load = { name: 'helper' };
const loadCall = { tool: 'load_skill', input: load, id: 'c1' };

/** A session in a process of its own: only the store is shared. */
async function session(
  store: SkillApprovalStore,
  more: { skill?: SkillDefinition; conversation?: string; options?: SkillApprovalsOptions } = {},
) {
  const { skill = helper(), conversation = 'one', options } = more;
  const skillset = createSkillset({
    provider: new SkillRegistry({ skills: [skill], label: 'web', trusted: false }),
    gates: { tools: ['pay'] },
    approvals: skillApprovals({ store, codeTools: ['bash'], ...options }),
  });
  const opened = await skillset.open({ conversation });
  const { approvals } = opened;
  if (approvals === undefined) throw new Error('There are approvals.');
  return {
    approvals,
    judge: async (state: SkillState, tool: string) => (await opened.judgeCall(state, { tool, input: {}, id: 'judged' })).decision,
    async load(state: SkillState = emptySkillState, callId = 'c1') {
      const tool = opened.tools.find(({ role }) => role === 'load');
      const result = await tool!.execute(load, { state, callId });
      return { ...result, state: opened.apply(state, result.events) };
    },
  };
}

/** A store whose steps take a while, as those of a database do. */
function slowStore() {
  const store = sharedStore();
  const later = () => new Promise<void>((done) => void setImmediate(done));
  return {
    ...store,
    get: async (key: string) => (await later(), await store.get(key)),
    set: async (key: string, value: string) => (await later(), await store.set(key, value)),
    take: async (key: string) => (await later(), await store.take(key)),
  };
}

describe('a record', () => {
  it('GOV-17: is written by asking alone, and asking again changes nothing', async () => {
    const store = sharedStore();
    const { approvals, judge } = await session(store);
    await judge(emptySkillState, 'load_skill');
    expect([...store.texts.keys()]).toEqual([]);
    const question = await approvals.ask(emptySkillState, loadCall);
    const before = new Map(store.texts);
    expect(before.size).toBeGreaterThan(0);
    expect((await (await session(store)).approvals.ask(emptySkillState, loadCall))?.id).toBe(question?.id);
    expect(store.texts).toEqual(before);
    expect(await approvals.question(question!.id)).toMatchObject({ id: question!.id, body: 'First line.\nSecond line.' });
  });

  it('GOV-17: is what an answer needs: what was not asked, or is gone, cannot be answered', async () => {
    const store = sharedStore();
    const { approvals } = await session(store);
    expect(await approvals.answer('x'.repeat(22), { answer: 'content' })).toBe(false);
    const { id } = (await approvals.ask(emptySkillState, loadCall))!;
    store.texts.clear();
    expect([await approvals.answer(id, { answer: 'content' }), await approvals.confirm(id)]).toEqual([false, false]);
    expect((await (await session(store)).load()).error?.code).toBe('needs-approval');
  });

  it.each(['conversation', 'content'] as const)(
    'GOV-17: has all that its question is about: %s holds when the id went through JSON to another process',
    async (answer) => {
      const store = sharedStore();
      const asking = await session(store);
      const { id } = JSON.parse(JSON.stringify(await asking.approvals.ask(emptySkillState, loadCall))) as SkillQuestion;
      expect(await (await session(store)).approvals.answer(id, { answer }, 'ada')).toBe(true);
      const { state } = await (await session(store)).load();
      expect(await (await session(store)).judge(state, 'pay')).toBe('allowed');
      const bash = { tool: 'bash', input: {}, id: 'c2' };
      const call = (await (await session(store)).approvals.ask(state, bash))!;
      expect(await (await session(store)).approvals.answer(call.id, { answer })).toBe(true);
      expect(await (await session(store)).judge(state, 'bash')).toBe('allowed');
      const other = await (await session(store, { conversation: 'two' })).load(emptySkillState, 'd1');
      expect(other.error?.code).toBe(answer === 'content' ? undefined : 'needs-approval');
    },
  );
});

describe('an answer', () => {
  it('GOV-17: is taken once: three loads, three calls and three yeses of a framework at once', async () => {
    const store = slowStore();
    const one = await session(store);
    const { id } = (await one.approvals.ask(emptySkillState, loadCall))!;
    const answers = await Promise.all([1, 2, 3].map(() => one.approvals.answer(id, { answer: 'once' })));
    expect(answers.filter(Boolean)).toHaveLength(1);
    const loads = await Promise.all([1, 2, 3].map(async () => await (await session(store)).load()));
    const [won] = loads.filter(({ error }) => error === undefined);
    expect(loads.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect((await one.load()).error?.code).toBe('needs-approval');
    const call = (await one.approvals.ask(won!.state, { tool: 'bash', input: {}, id: 'c2' }))!;
    expect(await one.approvals.take(call.id)).toBe(false);
    await one.approvals.answer(call.id, { answer: 'once' });
    const takes = await Promise.all([1, 2, 3].map(async () => await (await session(store)).approvals.take(call.id)));
    expect(takes.filter(Boolean)).toHaveLength(1);
    const next = (await one.approvals.ask(won!.state, { tool: 'bash', input: {}, id: 'c3' }))!;
    const yeses = await Promise.all([1, 2, 3].map(async () => await (await session(store)).approvals.confirm(next.id)));
    expect(yeses.filter(Boolean)).toHaveLength(1);
  });

  it('GOV-17: that is a bare yes gives the load, and is for what was asked first about its call', async () => {
    const store = sharedStore();
    const one = await session(store);
    const first = (await one.approvals.ask(emptySkillState, loadCall))!;
    expect(await one.approvals.confirm(first.id)).toBe(true);
    const { state, text } = await one.load();
    expect(text).toContain('First line.');
    expect(await one.judge(state, 'pay')).toBe('denied');
    await one.approvals.ask(emptySkillState, { ...loadCall, id: 'c2' });
    const changed = await session(store, { skill: helper({ body: 'EVIL WORDS' }) });
    const later = (await changed.approvals.ask(emptySkillState, { ...loadCall, id: 'c2' }))!;
    expect(await changed.approvals.confirm(later.id)).toBe(false);
    // Whoever was shown the new words can say yes to them by their id.
    expect(await changed.approvals.answer(later.id, { answer: 'once' })).toBe(true);
  });

  it('GOV-17: gives nothing that the question does not have', async () => {
    const desk = deskOf(changingSource([helper({ tools: [], model: undefined, allowedTools: [], resources: {} })]).provider);
    const { questions } = await desk.call('load_skill', load, 'c1', () => ({
      answer: 'conversation',
      grants: ['load', 'tools', 'model', 'mcp-servers', 'code-tools'],
    }));
    expect(questions[0]?.asks?.map(({ grant }) => grant)).toEqual(['load', 'code-tools']);
    const given = desk.events.find(({ type }) => type === 'skill_approval_given');
    expect(given).toMatchObject({ answer: 'conversation', grants: ['load', 'code-tools'] });
  });

  it.each(['once', 'conversation'] as const)('GOV-17: %s ends with its conversation and with unloading', async (answer) => {
    const store = sharedStore();
    const desk = deskOf(changingSource([helper()]).provider, { store, codeTools: [] }, { conversation: 'one' });
    await desk.call('load_skill', load, 'c1', () => answer);
    const claimed = JSON.parse(JSON.stringify(desk.state)) as SkillState;
    expect(await desk.judge('pay')).toBe('allowed');
    const other = deskOf(changingSource([helper()]).provider, { store }, { conversation: 'two', from: claimed });
    expect(await other.judge('pay')).toBe('denied');
    await desk.call('unload_skill', load, 'c2');
    desk.state = claimed;
    expect(await desk.judge('pay')).toBe('denied');
  });

  it('GOV-17: of less than was asked for can be followed by the rest, when the skill is loaded again', async () => {
    const desk = deskOf(changingSource([helper()]).provider);
    await desk.call('load_skill', load, 'c1', () => ({ answer: 'content', grants: ['load'] }));
    expect(await desk.judge('pay')).toBe('denied');
    const { questions } = await desk.call('load_skill', load, 'c2', () => 'content');
    expect([questions.length, await desk.judge('pay')]).toEqual([1, 'allowed']);
    expect((await desk.call('load_skill', load, 'c3')).questions).toEqual([]);
  });
});

describe('a question', () => {
  it('GOV-17: says how much it does not show, and has all of it', async () => {
    const tools = [...Array.from({ length: 140 }, (_, index) => `tool${index}`), 'pay'];
    const { approvals } = await session(sharedStore(), { skill: helper({ tools, body: 'x'.repeat(100_001) }) });
    const question = (await approvals.ask(emptySkillState, loadCall))!;
    const shown = question.asks?.find(({ grant }) => grant === 'tools');
    expect([shown?.what.length, shown?.more, question.moreCharacters]).toEqual([100, 41, 1]);
    const whole = await approvals.question(question.id);
    expect(whole?.asks?.find(({ grant }) => grant === 'tools')?.what).toEqual(tools);
    expect(whole?.body).toHaveLength(100_001);
  });

  it.each([
    'see `a!` !`echo EVIL` and',
    'x ``!`date``` !`echo EVIL`',
    '\\!`date` !`echo EVIL`',
    '`!` `x` !`echo EVIL` `!`',
    '!`date` `b!` !`echo EVIL`',
  ])('GOV-17: shows the commands that run: %s', async (body) => {
    const { approvals } = await session(sharedStore(), { skill: helper({ body }) });
    const question = (await approvals.ask(emptySkillState, loadCall))!;
    const found = findSnippets(body).map(({ command }) => command);
    expect(question.asks?.find(({ grant }) => grant === 'snippets')?.what ?? []).toEqual(found);
    expect(found.length).toBeGreaterThan(0);
  });

  it('GOV-17: shows servers with what starts or reaches them', async () => {
    const mcps = {
      here: { transport: 'stdio', command: 'npx', args: ['-y', 'a b'], env: { KEY: 'x' } },
      there: { transport: 'http', url: 'https://example.com/mcp' },
    };
    const { approvals } = await session(sharedStore(), { skill: helper({ fields: { mcps } }) });
    const question = (await approvals.ask(emptySkillState, loadCall))!;
    expect(question.asks?.find(({ grant }) => grant === 'mcp-servers')?.what).toEqual([
      `here: ${JSON.stringify(mcps.here)}`,
      `there: ${JSON.stringify(mcps.there)}`,
    ]);
  });
});

describe('the store', () => {
  it('GOV-17: gets keys of ours alone, whatever a client claims', async () => {
    const store = sharedStore();
    const keys: string[] = [];
    const desk = deskOf(changingSource([helper()]).provider, {
      store: { ...store, get: async (key: string) => (keys.push(key), await store.get(key)) },
    });
    await desk.call('load_skill', load, 'c1', () => 'conversation');
    for (const approval of ['../../etc/passwd', 'skill-x', 'a'.repeat(100_000), 'load-\n', '__proto__']) {
      desk.state = { loaded: { helper: { ...desk.state.loaded['helper']!, approval } } };
      expect(await desk.judge('pay')).toBe('denied');
    }
    expect(keys.filter((key) => !/^[\w-]{1,64}$/.test(key))).toEqual([]);
    expect(keys.length).toBeGreaterThan(5);
  });

  it('GOV-17: is refused without take, and without keys where staff is asked', () => {
    const { take: _take, ...without } = sharedStore();
    expect(() => skillApprovals({ store: without as never })).toThrow(/no take/);
    const { keys: _keys, ...unlisted } = sharedStore();
    expect(() => skillApprovals({ store: unlisted })).not.toThrow();
    expect(() => skillApprovals({ store: unlisted, askWhom: 'staff' })).toThrow(/no keys/);
  });
});

describe('staff', () => {
  const options = (store: SkillApprovalStore): SkillApprovalsOptions => ({ store, codeTools: ['bash'], askWhom: 'staff' });

  it('GOV-17: answers from an inbox, and a later call of the conversation goes through once', async () => {
    const store = sharedStore();
    const inbox = skillApprovals(options(store)).inbox(undefined);
    const chat = await session(store, { options: options(store) });
    const first = await chat.load();
    expect(first.text).toContain('Tell the user, and end your turn.');
    await chat.load(emptySkillState, 'c2');
    const waiting = await inbox.questions();
    expect(waiting.map(({ conversation, question }) => [conversation, question.whom, question.kind])).toEqual([['one', 'staff', 'load']]);
    const { id } = waiting[0]!.question;
    // Who chats answers no question of staff.
    expect([await chat.approvals.answer(id, { answer: 'content' }), await chat.approvals.confirm(id)]).toEqual([false, false]);
    expect((await inbox.question(id))?.body).toBe('First line.\nSecond line.');
    expect(await inbox.answer(id, { answer: 'once' }, 'grace')).toBe(true);
    expect([await inbox.questions(), await inbox.answer(id, { answer: 'once' })]).toEqual([[], false]);
    const { state, text } = await chat.load(emptySkillState, 'c3');
    expect(text).toContain('First line.');
    expect((await (await session(store, { conversation: 'two', options: options(store) })).load()).error?.code).toBe('needs-approval');
    const call = (await chat.approvals.ask(state, { tool: 'bash', input: { a: 1 }, id: 'c4' }))!;
    expect(await chat.approvals.take(call.id)).toBe(false);
    await inbox.answer(call.id, { answer: 'once' }, 'grace');
    const later = (await chat.approvals.ask(state, { tool: 'bash', input: { a: 1 }, id: 'c5' }))!;
    expect([later.id === call.id, await chat.approvals.take(call.id), await chat.approvals.take(call.id)]).toEqual([true, true, false]);
  });

  it('GOV-17: is asked where the host says so, and where saying fails', async () => {
    const store = sharedStore();
    const whom = async (askWhom: NonNullable<SkillApprovalsOptions['askWhom']>) =>
      (await (await session(store, { options: { store, askWhom } })).approvals.ask(emptySkillState, loadCall))?.whom;
    expect(await whom(({ skills }) => (skills[0]?.source === 'web' ? 'staff' : 'person'))).toBe('staff');
    expect(await whom(() => 'person')).toBe('person');
    expect(
      await whom(() => {
        throw new Error('down');
      }),
    ).toBe('staff');
  });
});
