import {
  emptySkillState,
  skillApprovals,
  SkillRegistry,
  type SkillAnswer,
  type SkillApprovalStore,
  type SkillDefinition,
  type SkillState,
} from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { durableAgent } from '../src/agent.ts';
import { listEngine, type RecordedSteps } from './list-engine.ts';

const refunds: SkillDefinition = { name: 'refunds', description: 'Refunds money.', body: 'First charge.', tools: ['charge'] };
const load = { tool: 'load_skill', input: { name: 'refunds' }, id: '1' };

/** A database of the host, and the engine's history: both outlive a process. */
function world() {
  const rows = new Map<string, unknown>();
  const store: SkillApprovalStore = {
    get: async (key) => rows.get(key),
    set: async (key, record) => void rows.set(key, structuredClone(record)),
    delete: async (key) => void rows.delete(key),
    take: async (key) => {
      const row = rows.get(key);
      rows.delete(key);
      return row;
    },
  };
  const list: RecordedSteps = [];
  const asked: string[] = [];
  let edition = refunds;
  /** One process: it replays, goes on, and ends where an answer is missing. */
  const run = async (answers: Readonly<Record<string, SkillAnswer['answer'] | 'framework'>>): Promise<readonly string[]> => {
    const done: string[] = [];
    const durable = durableAgent(listEngine(list));
    const { session } = await durable.openSkills({
      provider: new SkillRegistry({ skills: [edition], label: 'market', trusted: false }),
      approvals: skillApprovals({ store, codeTools: ['bash'] }),
      onEvent: ({ type }) => void (type === 'skill_approval_requested' && asked.push(type)),
    });
    let state: SkillState = emptySkillState;
    for (const call of [load, { tool: 'bash', input: { command: 'ls' }, id: '2' }]) {
      const verdict = await session.judgeCall(state, call);
      const tool = session.tools.find(({ name }) => name === call.tool);
      if (verdict.decision === 'needs-approval') {
        const { id = '' } = (await session.approvals?.ask(state, call)) ?? {};
        const answer = answers[call.id];
        if (answer === undefined) return [...done, `waits for ${verdict.question.kind}`];
        if (answer === 'framework') {
          if ((await session.approvals?.confirm(id)) !== true) return [...done, `not confirmed: ${call.tool}`];
        } else {
          if ((await session.approvals?.answer(id, { answer })) !== true) return [...done, `no to ${call.tool}`];
          if (tool === undefined && (await session.approvals?.take(id)) !== true) return [...done, `no answer to ${call.tool}`];
        }
      }
      if (tool === undefined) done.push(await durable.callTool(call.id, async () => 'listed'));
      else {
        const result = await tool.execute(call.input, { state, callId: call.id });
        state = session.apply(state, result.events);
        done.push(result.error?.code ?? Object.keys(state.loaded).join());
      }
    }
    return done;
  };
  return { run, asked, list, rows, edit: (next: SkillDefinition) => void (edition = next) };
}

describe('approvals in a durable run', () => {
  it.each(['once', 'conversation', 'content'] as const)(
    'APR-14, FLW-5: a person who says yes (%s) is asked once for each call, whatever process asks, answers and replays',
    async (answer) => {
      const { run, list, asked } = world();
      expect(await run({})).toEqual(['waits for load']);
      expect(await run({})).toEqual(['waits for load']);
      expect(await run({ 1: answer })).toEqual(['refunds', 'waits for call']);
      const before = asked.length;
      const final = await run({ 1: answer, 2: 'once' });
      expect(final).toEqual(['refunds', 'listed']);
      const steps = structuredClone(list);
      expect(await run({ 1: answer, 2: 'once' })).toEqual(final);
      expect(list).toEqual(steps);
      expect(before).toBeGreaterThan(0);
    },
  );

  it('APR-14: a yes that the framework carries is taken once: a replay leaves none behind for another run', async () => {
    const { run, rows } = world();
    expect(await run({ 1: 'framework', 2: 'once' })).toEqual(['refunds', 'listed']);
    const kept = structuredClone([...rows]);
    expect(await run({ 1: 'framework', 2: 'once' })).toEqual(['refunds', 'listed']);
    expect([...rows]).toEqual(kept);
  });

  it('APR-14, PIN-1: what changed between the question and the yes is not loaded, and a no stays a no', async () => {
    const { run, edit } = world();
    expect(await run({})).toEqual(['waits for load']);
    edit({ ...refunds, body: 'Charge at once.' });
    expect((await run({ 1: 'content' }))[0]).not.toBe('refunds');
    const other = world();
    expect(await other.run({ 1: 'no' })).toEqual(['no to load_skill']);
    expect(await other.run({ 1: 'content' })).toEqual(['no to load_skill']);
  });
});
