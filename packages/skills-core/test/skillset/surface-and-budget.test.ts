import { asClaims } from '../helpers/loaded-state.ts';
import { describe, expect, it } from 'vitest';
import {
  createSkillset,
  emptySkillState,
  skillAllowedTools,
  SkillRegistry,
  type SkillActivity,
  type SkillDefinition,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { stateAfter } from '../helpers/loaded-state.ts';

const make = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `Does ${name}.`,
  body: `Body of ${name}.`,
  ...more,
});

async function read(options: SkillsetOptions) {
  const skillset = createSkillset(options);
  const session = await skillset.open();
  const load = session.tools.find((tool) => tool.role === 'load');
  if (load === undefined) throw new Error('no tool');
  return { skillset, session, catalog: session.catalog, load };
}

describe('the budget of a catalog', () => {
  const many = Array.from({ length: 400 }, (_, index) =>
    make(`skill-${String(index).padStart(3, '0')}`, { description: `Handles case ${index}. ${'Words that go on. '.repeat(20)}` }),
  );

  it('DIS-2: holds by default, and tells what it cut', async () => {
    const heard: SkillActivity[] = [];
    const { catalog } = await read({ skills: many, onEvent: (activity) => heard.push(activity) });
    expect(catalog.tokens).toBeLessThanOrEqual(8_000);
    expect(catalog.skills).toHaveLength(400);
    for (const { name } of catalog.skills) expect(catalog.text).toContain(name);
    expect(catalog.cut.shortened).toHaveLength(400);
    expect(heard).toEqual([{ type: 'catalog_built', skills: 400, tokens: catalog.tokens, ...catalog.cut }]);
  });

  it('DIS-2: where not even the names fit, says how many are left out and how to find them; they load all the same', async () => {
    const { catalog, load } = await read({ skills: many, catalog: { maxTokens: 600 }, surface: { tools: 'full' } });
    expect(catalog.tokens).toBeLessThanOrEqual(600);
    expect(catalog.text).toContain(
      `${catalog.cut.dropped.length} skills are not listed here, for length. Before work that no listed skill covers, look for one with list_skills, then load it by name.`,
    );
    const hidden = catalog.cut.dropped.at(-1) ?? '';
    expect(catalog.text).not.toContain(hidden);
    expect((await load.execute({ name: hidden }, { state: emptySkillState })).text).toContain(`Body of ${hidden}.`);
  });

  it('DIS-2: the least used go first', async () => {
    const { catalog } = await read({ skills: many, catalog: { maxTokens: 600, usage: { 'skill-399': 9 } } });
    expect(catalog.text).toContain('skill-399');
    expect(catalog.cut.dropped).toContain('skill-398');
  });

  it('DIS-2: is the same to the byte each time', async () => {
    expect((await read({ skills: many })).catalog.text).toBe((await read({ skills: many.toReversed() })).catalog.text);
  });

  it('DIS-2: a limit that is none is refused', async () => {
    await expect(createSkillset({ skills: many, catalog: { maxTokens: 0 } }).open()).rejects.toMatchObject({ code: 'invalid-options' });
  });
});

describe('surface modes', () => {
  it('DIS-11: in the system prompt by default, in the tool, in both, or as the model does best', async () => {
    const place = async (options: Partial<SkillsetOptions>) => {
      const { catalog, load } = await read({ skills: [make('a')], ...options });
      return { prompt: catalog.text.includes('name="a"'), tool: load.description.includes('name="a"') };
    };
    expect(await place({})).toEqual({ prompt: true, tool: false });
    expect(await place({ surface: { mode: 'tool-only' } })).toEqual({ prompt: false, tool: true });
    expect(await place({ surface: { mode: 'both' } })).toEqual({ prompt: true, tool: true });
    expect(await place({ surface: { mode: 'auto', model: { provider: 'anthropic', model: 'claude-sonnet-4-5' } } })).toEqual({
      prompt: true,
      tool: true,
    });
    expect(await place({ surface: { mode: 'auto', model: { provider: 'openai', model: 'gpt-4o' } } })).toEqual({
      prompt: false,
      tool: true,
    });
    expect(await place({ skills: [make('a', { surfaceMode: 'tool-only' })] })).toEqual({ prompt: false, tool: true });
  });

  it('DIS-11 DIS-1: how to use skills is said in one place', async () => {
    const both = await read({ skills: [make('a')], surface: { mode: 'both' } });
    expect([both.catalog.text, both.load.description].filter((text) => text.includes('A skill is not a tool'))).toHaveLength(1);
    const tool = await read({ skills: [make('a')], surface: { mode: 'tool-only' } });
    expect(tool.load.description).toContain('A skill is not a tool');
  });

  it('DIS-11: an untrusted skill has no say in where it stands', async () => {
    const { catalog } = await read({
      provider: new SkillRegistry({ skills: [make('a', { surfaceMode: 'system-prompt' })], trusted: false }),
      surface: { mode: 'tool-only' },
    });
    expect(catalog.text).toBe('');
  });

  it('DIS-11: bodies stand where their lines stand only where the host asks for it', async () => {
    const { session, load } = await read({ skills: [make('a')], surface: { mode: 'system-prompt', instructions: 'with-catalog' } });
    const loaded = await load.execute({ name: 'a' }, { state: emptySkillState });
    expect(loaded.text).not.toContain('Body of a.');
    expect(loaded.text).toContain('its instructions are in the system prompt');
    const state = loaded.events.reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    expect(session.state([{ tool: 'load_skill', input: { name: 'a' }, output: loaded.text }])).toEqual(asClaims(state));
    expect(await session.activeInstructions(state)).toContain('Body of a.');
    expect(await session.activeInstructions(emptySkillState)).toBe('');
    expect((await load.execute({ name: 'a' }, { state })).text).toContain('already active');
    const edited = await read({
      skills: [make('a', { body: 'Edited.' })],
      surface: { mode: 'system-prompt', instructions: 'with-catalog' },
    });
    expect((await edited.load.execute({ name: 'a' }, { state })).events).toHaveLength(1);
  });

  it('DIS-11 GOV-6: the body of an untrusted skill never enters the system prompt', async () => {
    const { session, load } = await read({
      provider: new SkillRegistry({ skills: [make('a')], trusted: false }),
      surface: { mode: 'system-prompt', instructions: 'with-catalog' },
    });
    const loaded = await load.execute({ name: 'a' }, { state: emptySkillState });
    expect(loaded.text).toContain('Body of a.');
    expect(
      await session.activeInstructions(loaded.events.reduce((current, event) => reduceSkillState(current, event), emptySkillState)),
    ).toBe('');
  });
});

describe('allowed-tools of loaded skills', () => {
  const git = make('git', { allowedTools: ['Bash(git:*)', 'Read'] });
  const decide = async (options: Partial<SkillsetOptions>, call: { tool: string; input?: unknown }, loaded = ['git']) => {
    const { session } = await read({ skills: [git, make('plain')], ...options });
    return (await session.judgeCall(await stateAfter(session, ...loaded), call)).decision;
  };

  it('GOV-2: mean nothing, restrict, or pre-approve, as the host says', async () => {
    const push = { tool: 'Bash', input: { command: 'git push' } };
    const remove = { tool: 'Bash', input: { command: 'rm -rf /' } };
    expect(await decide({}, remove)).toBe('allowed');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'restrict' }) }, push)).toBe('allowed');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'restrict' }) }, remove)).toBe('denied');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'restrict' }) }, remove, [])).toBe('allowed');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'restrict' }) }, remove, ['plain'])).toBe('allowed');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'restrict' }) }, { tool: 'load_skill' })).toBe('allowed');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'pre-approve' }) }, push)).toBe('pre-approved');
    expect(await decide({ allowedTools: skillAllowedTools({ policy: 'pre-approve', never: ['Bash'] }) }, push)).toBe('allowed');
  });

  it('GOV-2 GOV-6: those of an untrusted skill mean nothing, under any policy', async () => {
    const provider = new SkillRegistry({ skills: [git], trusted: false });
    for (const allowedTools of ['pre-approve', 'restrict'] as const) {
      const session = await createSkillset({ provider, allowedTools: skillAllowedTools({ policy: allowedTools }) }).open();
      const state = await stateAfter(session, 'git');
      for (const tool of ['Read', 'Write']) expect((await session.judgeCall(state, { tool })).decision).toBe('allowed');
    }
  });

  it('GOV-2: skill tools are never refused, under any name', async () => {
    const { session } = await read({
      skills: [git],
      allowedTools: skillAllowedTools({ policy: 'restrict' }),
      surface: { names: { load: 'activate' } },
    });
    const state = await stateAfter(session, 'git');
    for (const tool of ['activate', 'read_skill_file', 'unload_skill', 'list_skills', 'load_skill_asset'])
      expect((await session.judgeCall(state, { tool })).decision).toBe('allowed');
    expect((await session.judgeCall(state, { tool: 'load_skill' })).decision).toBe('denied');
  });
});
