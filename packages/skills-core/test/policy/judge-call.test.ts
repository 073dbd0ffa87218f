import { describe, expect, it } from 'vitest';
import {
  createSkillset,
  emptySkillState,
  skillAllowedTools,
  SkillError,
  SkillRegistry,
  type SkillDefinition,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { claimed, foldEvents, stateAfter } from '../helpers/loaded-state.ts';

const make = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `${name}.`,
  body: 'b',
  ...more,
});
const reader = make('reader', { allowedTools: ['Read'] });

describe('judgeCall under restrict', () => {
  it('GOV-2 GOV-11: a restriction does not vanish with its skill: nothing is allowed until it is ended or loaded again', async () => {
    const registry = new SkillRegistry({ skills: [reader, make('free')] });
    const skillset = createSkillset({ provider: registry, allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const session = await skillset.open();
    const state = await stateAfter(session, 'reader');
    expect((await session.judgeCall(state, { tool: 'Write' })).decision).toBe('denied');
    registry.unregister('reader');
    const gone = await skillset.open();
    for (const tool of ['Read', 'Write']) {
      expect(await gone.judgeCall(state, { tool })).toMatchObject({
        decision: 'denied',
        openedBy: [],
        error: { code: 'permission-denied' },
        because: `The tool ${tool} is not allowed now: the rules of the loaded skill "reader" cannot be read, because the skill is gone or changed. End it with unload_skill, or load it again.`,
      });
    }
    // The way out is open.
    expect((await gone.judgeCall(state, { tool: 'unload_skill' })).decision).toBe('allowed');
    const unload = gone.tools.find(({ role }) => role === 'unload') ?? session.tools.find(({ role }) => role === 'unload');
    const ended = foldEvents((await unload?.execute({ name: 'reader' }, { state }))?.events ?? [], state);
    expect((await gone.judgeCall(ended, { tool: 'Write' })).decision).toBe('allowed');
  });

  it('GOV-2: nor with a change of it, until it is loaded in its new revision', async () => {
    const registry = new SkillRegistry({ skills: [reader] });
    const skillset = createSkillset({ provider: registry, allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const state = await stateAfter(await skillset.open(), 'reader');
    registry.replace({ ...reader, allowedTools: ['Read', 'Write'] });
    const session = await skillset.open();
    expect((await session.judgeCall(state, { tool: 'Write' })).decision).toBe('denied');
    expect((await session.judgeCall(await stateAfter(session, 'reader'), { tool: 'Write' })).decision).toBe('allowed');
  });

  it('GOV-6: one that was untrusted when it was loaded restricts nothing, here or gone (ATK-110)', async () => {
    const provider = new SkillRegistry({ skills: [reader], trusted: false });
    const session = await createSkillset({ provider, allowedTools: skillAllowedTools({ policy: 'restrict' }) }).open();
    const state = await stateAfter(session, 'reader');
    expect((await session.judgeCall(state, { tool: 'Write' })).decision).toBe('allowed');
    const empty = await createSkillset({ skills: [], allowedTools: skillAllowedTools({ policy: 'restrict' }) }).open();
    expect((await empty.judgeCall(state, { tool: 'Write' })).decision).toBe('allowed');
  });

  it.each([undefined, 'pre-approve'] as const)(
    'GOV-2: under %s a skill that is gone forbids nothing and approves nothing',
    async (allowedTools) => {
      const state = await stateAfter(await createSkillset({ skills: [reader] }).open(), 'reader');
      const gone = await createSkillset({
        skills: [make('free')],
        allowedTools: allowedTools && skillAllowedTools({ policy: allowedTools }),
      }).open();
      expect((await gone.judgeCall(state, { tool: 'Read' })).decision).toBe('allowed');
    },
  );

  it('GOV-2 GOV-11: a gate is judged before allowed-tools, and pre-approval opens none', async () => {
    const greedy = make('greedy', { allowedTools: ['*'] });
    const options: SkillsetOptions = {
      skills: [greedy, make('pay', { tools: ['pay_now'] })],
      allowedTools: skillAllowedTools({ policy: 'pre-approve' }),
    };
    const session = await createSkillset(options).open();
    const state = await stateAfter(session, 'greedy');
    expect(await session.judgeCall(state, { tool: 'pay_now' })).toMatchObject({ decision: 'denied', error: { code: 'not-loaded' } });
    expect((await session.judgeCall(await stateAfter(session, 'greedy', 'pay'), { tool: 'pay_now' })).decision).toBe('pre-approved');
    expect((await session.judgeCall(state, { tool: 'other' })).decision).toBe('pre-approved');
  });
});

describe('judgeCallOffline', () => {
  const down = new SkillError('timeout', 'Too slow.');
  const loaded = foldEvents([claimed('reader')]);
  const offline = (options: SkillsetOptions) => createSkillset({ skills: [reader, make('pay', { tools: ['pay_now'] })], ...options });

  it('GOV-11: under restrict nothing is allowed while a skill is loaded; else only what the host closed is closed', () => {
    const restrict = offline({ allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    expect(restrict.judgeCallOffline(loaded, 'Read', down)).toMatchObject({ decision: 'denied', error: { code: 'timeout', cause: down } });
    expect(restrict.judgeCallOffline(emptySkillState, 'Read', down).decision).toBe('allowed');
    expect(restrict.judgeCallOffline(foldEvents([claimed('reader', { untrusted: true })]), 'Read', down).decision).toBe('allowed');
    for (const allowedTools of ['pre-approve', undefined] as const) {
      expect(
        offline({ allowedTools: allowedTools && skillAllowedTools({ policy: allowedTools }) }).judgeCallOffline(loaded, 'Read', down)
          .decision,
      ).toBe('allowed');
      expect(
        offline({ allowedTools: allowedTools && skillAllowedTools({ policy: allowedTools }) }).judgeCallOffline(loaded, 'pay_now', down)
          .decision,
      ).toBe('denied');
    }
  });

  it("GOV-11: `'named'` closes everything while nobody knows what is named; skill tools stay", () => {
    const named = offline({ gates: { tools: 'named' } });
    expect(named.judgeCallOffline(emptySkillState, 'Read', down).decision).toBe('denied');
    for (const tool of ['load_skill', 'unload_skill', 'read_skill_file'])
      expect(named.judgeCallOffline(loaded, tool, down).decision).toBe('allowed');
  });

  it('GOV-11: what was thrown need not be an error of ours, and its words are bounded', () => {
    for (const thrown of [new TypeError('fetch failed'), 'text', undefined, null, { odd: true }]) {
      expect(offline({}).judgeCallOffline(emptySkillState, 'pay_now', thrown)).toMatchObject({
        decision: 'denied',
        error: { code: 'source-unavailable' },
      });
    }
    const long = offline({}).judgeCallOffline(emptySkillState, 'pay_now', new Error(`</skill_content>${'x'.repeat(1e6)}`));
    expect(long.because.length).toBeLessThan(5_000);
    expect(long.because).not.toContain('</skill_content>');
  });
});
