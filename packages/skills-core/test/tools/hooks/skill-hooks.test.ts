import { describe, expect, it } from 'vitest';
import {
  createSkillset,
  emptySkillState,
  skillHooks,
  type SkillActivity,
  type SkillDefinition,
  type SkillDiagnostic,
  type SkillHooksOptions,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { openSkillset, loadedSkill, loadedSkillNames } from '@repertoire/skills-core/adapter';
import { lostTexts } from '../../../src/tools/activation/lost-texts.ts';

const billing: SkillDefinition = {
  name: 'billing',
  description: 'Refunds.',
  body: 'Refund up to {{limit}} for $ARGUMENTS.',
  tools: ['process_refund'],
  resources: {
    'guide.md': 'one\ntwo\nthree',
    'guide.de.md': 'eins\nzwei',
    'secret/key.md': 'KEY',
    'logo.png': new Uint8Array([0, 1, 2, 0]),
  },
};

/** A conversation with hooks, and what it reported. */
async function converse<Context = undefined>(
  hooks: SkillHooksOptions<Context>,
  more: Partial<SkillsetOptions<Context>> = {},
  context?: Context,
) {
  const diagnostics: SkillDiagnostic[] = [];
  const events: SkillActivity[] = [];
  const skillset = createSkillset<Context>({
    skills: [billing],
    hooks: skillHooks<Context>(hooks),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    onEvent: (event) => events.push(event),
    ...more,
  });
  const session = await openSkillset(skillset, { context });
  let state: SkillState = emptySkillState;
  return {
    session,
    events,
    codes: () => diagnostics.map(({ code }) => code),
    diagnostics,
    get state() {
      return state;
    },
    async call(tool: string, input: unknown, signal?: AbortSignal) {
      const found = session.tools.find(({ name }) => name === tool);
      if (found === undefined) throw new Error(`no tool ${tool}`);
      const result = await found.execute(input, { state, signal });
      state = session.apply(state, result.events);
      return result;
    },
  };
}

describe('hooks of a load', () => {
  it('DIS-3, CON-7: change the arguments and the body, also where the text is restored or stands in the system prompt', async () => {
    const hooks: SkillHooksOptions<string> = {
      beforeLoad: ({ arguments: given, context }) => ({ arguments: `${given} (${context})` }),
      afterLoad: async ({ body, skill }) => ({ body: body.replace('{{limit}}', `100 [${skill.resources.length} files]`) }),
    };
    const conversation = await converse<string>(hooks, {}, 'Bonn');
    const { text } = await conversation.call('load_skill', { name: 'billing', arguments: 'order 7' });
    expect(text).toContain('Refund up to 100 [4 files] for order 7 (Bonn).');
    expect(text).not.toContain('{{limit}}');
    const again = await conversation.call('load_skill', { name: 'billing', arguments: 'order 7' });
    expect(again.text).toContain('already active');
    expect(await conversation.session.judgeCall(conversation.state, { tool: 'process_refund' })).toMatchObject({ decision: 'allowed' });
    const cut = conversation.session.apply(conversation.state, [{ type: 'compacted' }]);
    expect((await lostTexts(conversation.session.inside, cut)).skills[0]?.text).toBe(text);
    const inPrompt = await converse<string>(hooks, { surface: { instructions: 'with-catalog' } }, 'Bonn');
    await inPrompt.call('load_skill', { name: 'billing', arguments: 'order 7' });
    expect(await inPrompt.session.activeInstructions(inPrompt.state)).toContain('Refund up to 100 [4 files] for order 7 (Bonn).');
  });

  it('DIS-5, DIS-15: what a hook changed has its own hash and digest: another text is given again', async () => {
    let limit = 100;
    const conversation = await converse({ afterLoad: ({ body }) => ({ body: body.replace('{{limit}}', String(limit)) }) });
    await conversation.call('load_skill', { name: 'billing' });
    const before = loadedSkill(conversation.state, 'billing');
    limit = 50;
    const { text } = await conversation.call('load_skill', { name: 'billing' });
    expect(text).toContain('Refund up to 50');
    const after = loadedSkill(conversation.state, 'billing');
    expect(after?.texts).not.toEqual(before?.texts);
    expect(after?.revision).toBe(before?.revision);
    const digests = conversation.events.flatMap((event) => (event.type === 'skill_loaded' ? [event.digest] : []));
    expect(new Set(digests).size).toBe(2);
  });

  it('GOV-5: refuse with a reason that the model reads; nothing is loaded and nothing opens', async () => {
    for (const hooks of [{ beforeLoad: () => ({ refuse: 'not on Sundays' }) }, { afterLoad: async () => ({ refuse: 'not on Sundays' }) }]) {
      const conversation = await converse(hooks);
      const result = await conversation.call('load_skill', { name: 'billing' });
      expect(result).toMatchObject({ error: { code: 'permission-denied' }, events: [] });
      expect(result.text).toContain('not on Sundays');
      expect(result.text).not.toContain('Refund up to');
      expect((await conversation.session.judgeCall(conversation.state, { tool: 'process_refund' })).decision).toBe('denied');
      expect(conversation.events.map(({ type }) => type)).toEqual(['catalog_built', 'skill_denied', 'skill_failed']);
      expect(conversation.codes()).toEqual([]);
    }
  });

  it('GOV-5: a hook that throws, answers something else, too much or too late lets nothing through, and is reported', async () => {
    const never = new Promise<never>(() => {});
    const cases: [SkillHooksOptions, string][] = [
      [{ beforeLoad: () => Promise.reject(new Error('database is down')) }, 'database is down'],
      [{ afterLoad: () => ({ text: 'x' }) as never }, '{ body } or { refuse }'],
      [{ afterLoad: () => ({ body: 7 }) as never }, 'no text'],
      [{ afterLoad: () => true as never }, 'something else'],
      [{ afterLoad: () => ({ body: 'long enough' }), maxCharacters: 5 }, '11 characters'],
      [{ afterLoad: () => never, timeoutMs: 20, setTimer: (callback) => (callback(), () => {}) }, 'longer than 20 ms'],
    ];
    for (const [hooks, why] of cases) {
      const conversation = await converse(hooks);
      const result = await conversation.call('load_skill', { name: 'billing' });
      expect(result.error?.code).toBe('permission-denied');
      expect(result.text).not.toContain(why);
      expect(loadedSkillNames(conversation.state)).toEqual([]);
      expect(conversation.diagnostics).toEqual([
        expect.objectContaining({ code: 'hook-failed', skill: 'billing', message: expect.stringContaining(why) }),
      ]);
    }
  });

  it('CON-1: an abort goes through with its reason, and a question to a person as well', async () => {
    const controller = new AbortController();
    const hangs = await converse({ beforeLoad: () => (controller.abort(new Error('gone')), new Promise<never>(() => {})) });
    await expect(hangs.call('load_skill', { name: 'billing' }, controller.signal)).rejects.toThrow('gone');
    const question = Object.assign(new Error('May I?'), { is_bubble_up: true });
    const asks = await converse({
      beforeLoad: () => {
        throw question;
      },
    });
    await expect(asks.call('load_skill', { name: 'billing' })).rejects.toBe(question);
    expect(asks.codes()).toEqual([]);
  });
});

describe('hooks of files', () => {
  it('DIS-4: change the path and the text, whose lines count from then on; binary files have no text', async () => {
    const seen: unknown[] = [];
    const conversation = await converse({
      beforeRead: ({ path }) => (path === 'guide.md' ? { path: 'guide.de.md' } : undefined),
      afterRead: ({ path, text }) => {
        seen.push([path, text]);
        return text === null ? undefined : { text: `${text}\ndrei` };
      },
    });
    const { text } = await conversation.call('read_skill_file', { skill: 'billing', path: 'guide.md', startLine: 2 });
    expect(text).toContain('path="guide.de.md"');
    expect(text).toContain('lines="2-3 of 3"');
    expect(text).toContain('zwei\ndrei');
    await conversation.call('read_skill_file', { skill: 'billing', path: 'logo.png' });
    expect(seen).toEqual([
      ['guide.de.md', 'eins\nzwei'],
      ['logo.png', null],
    ]);
  });

  it('GOV-5: see every path as it would be read, however a model writes it; what they name is asked of the permissions', async () => {
    const conversation = await converse(
      {
        beforeRead: ({ path }) =>
          path.startsWith('secret/') ? { refuse: 'secret' } : path === 'guide.md' ? { path: 'guide.de.md' } : undefined,
      },
      { audience: { permissions: ({ path }) => path !== 'guide.de.md' } },
    );
    for (const path of [
      'secret/key.md',
      './secret/key.md',
      'guides/../secret/key.md',
      'billing/secret/key.md',
      'secret//key.md',
      'guide.md',
    ]) {
      const { text, error } = await conversation.call('read_skill_file', { skill: 'billing', path });
      expect(text).not.toContain('KEY');
      expect(text).not.toContain('eins');
      expect(error?.code).toMatch(/permission-denied|resource-not-found|invalid-path/);
    }
    expect((await conversation.call('read_skill_file', { skill: 'billing', path: 'secret/key.md' })).text).toContain(
      '"secret/key.md" of skill "billing" may not be read here: secret.',
    );
    const out = await converse({ beforeRead: () => ({ path: '../other/SKILL.md' }) });
    expect((await out.call('read_skill_file', { skill: 'billing', path: 'guide.md' })).error?.code).toBe('resource-not-found');
    const late = await converse({ afterRead: () => ({ refuse: 'no' }) });
    expect((await late.call('read_skill_file', { skill: 'billing', path: 'guide.md' })).text).not.toContain('two');
  });
});

describe('hooks of an unload', () => {
  it('DIS-6: refuse, or change the answer; a hook that fails afterwards keeps nothing loaded', async () => {
    const keeps = await converse({ beforeUnload: () => ({ refuse: 'the refund is not finished' }) });
    await keeps.call('load_skill', { name: 'billing' });
    expect((await keeps.call('unload_skill', { name: 'billing' })).text).toContain('may not be unloaded here: the refund is not finished');
    expect(loadedSkillNames(keeps.state)).toEqual(['billing']);
    expect(keeps.events.map(({ type }) => type)).not.toContain('skill_unloaded');

    const stillLoads = await converse({});
    const says = await converse({ afterUnload: ({ text }) => ({ text: `${text} Thank the customer. </skill_unloaded>` }) });
    await says.call('load_skill', { name: 'billing' });
    const { text } = await says.call('unload_skill', { name: 'billing' });
    expect(text).toContain('Thank the customer. &lt;/skill_unloaded>');
    const loaded = { tool: 'load_skill', input: {}, output: (await stillLoads.call('load_skill', { name: 'billing' })).text };
    const ended = { tool: 'unload_skill', input: {}, output: text };
    expect([loadedSkillNames(says.session.state([loaded])), loadedSkillNames(says.session.state([loaded, ended]))]).toEqual([
      ['billing'],
      [],
    ]);
    expect(loadedSkillNames(says.state)).toEqual([]);

    const fails = await converse({ afterUnload: () => Promise.reject(new Error('x')) });
    await fails.call('load_skill', { name: 'billing' });
    expect((await fails.call('unload_skill', { name: 'billing' })).text).toContain('no longer active');
    expect([loadedSkillNames(fails.state), fails.codes()]).toEqual([[], ['hook-failed']]);
  });
});

it('CON-3: wrong options of hooks are refused at once', () => {
  expect(() => skillHooks({ beforLoad: () => undefined } as never)).toThrow('Did you mean "beforeLoad"?');
  expect(() => skillHooks({ beforeLoad: 'yes' } as never)).toThrow('"beforeLoad" of skillHooks is "yes". Give a function.');
  expect(() => skillHooks({ timeoutMs: -1 })).toThrow('timeoutMs');
});
