import { createSkillset, defineSkill, emptySkillState, skillHooks, SkillRegistry, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { generateText, isStepCount, jsonSchema, tool, ToolLoopAgent, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { refundTools, skills as definitions } from './billing-skills.ts';
import { modelOf, toolNames, toolTexts } from './model-of.ts';

const stopWhen = isStepCount(20);
const load = ['load_skill', { name: 'billing' }] as const;
const refund = (amount: number) => ['process_refund', { amount }] as const;

describe('activeTools of a call', () => {
  it.each(['refuse', 'hide'] as const)('ADP-4: is respected, and the skill tools survive it (gate %s)', async (gate) => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions, surface: { unload: false } }), { tools, gate });
    const model = modelOf([[load], [refund(1)], 'Done.']);
    await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings({ activeTools: ['process_refund'] }) });
    const own = ['load_skill', 'read_skill_file'];
    const early = gate === 'hide' ? own : [...own, 'process_refund'];
    expect(model.calls.map(toolNames)).toEqual([early, [...own, 'process_refund'], [...own, 'process_refund']]);
  });

  it('ADP-4: by hand, and in a prepareStep of the host; names that do not exist are refused by types', async () => {
    const { tools } = refundTools();
    const skills = await aiSdkSkills(createSkillset({ skills: definitions, surface: { unload: false } }), { tools });
    const model = modelOf(['Done.', 'Done.']);
    const search_docs = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => '' });
    const call = { model, prompt: 'Hello', tools: { ...skills.tools, search_docs } };
    await generateText({ ...call, activeTools: skills.activeTools<'search_docs'>(['search_docs']), prepareStep: skills.prepareStep });
    await generateText({ ...call, prepareStep: skills.composePrepareStep<typeof call.tools>(() => ({ activeTools: ['lookup_order'] })) });
    expect(model.calls.map(toolNames)).toEqual([
      ['load_skill', 'read_skill_file', 'search_docs'],
      ['load_skill', 'read_skill_file', 'lookup_order'],
    ]);
    // @ts-expect-error -- there is no such tool
    skills.activeTools(['lookup_ordr']);
    // @ts-expect-error -- there is no such tool
    skills.agentSettings({ activeTools: ['lookup_ordr'] });
  });
});

it('ADP-4: a skill tool may be the choice of a call, by its role, under any name', async () => {
  const skills = await aiSdkSkills(createSkillset({ skills: definitions, surface: { names: { load: 'use_skill' } } }));
  const model = modelOf([[['use_skill', { name: 'billing' }]]]);
  await generateText({ model, prompt: 'Money!', ...skills.agentSettings(), toolChoice: skills.toolChoice('load') });
  expect(model.calls[0]?.toolChoice).toEqual({ type: 'tool', toolName: 'use_skill' });
  expect(() => skills.toolChoice('search')).toThrow(expect.objectContaining({ code: 'unsupported' }));
  // @ts-expect-error -- there is no such role
  expect(() => skills.toolChoice('loda')).toThrow('"loda"');
});

describe('an empty system prompt', () => {
  it('ADP-4: is never sent, however the call is made', async () => {
    const skills = await aiSdkSkills(createSkillset({ skills: [] }));
    const model = modelOf(['Done.', 'Done.', 'Done.']);
    await generateText({ model, prompt: 'Hello', ...skills.agentSettings() });
    await generateText({ model, prompt: 'Hello', instructions: skills.instructions(), prepareStep: skills.prepareStep });
    const instructions = { role: 'system' as const, content: skills.instructions() };
    await generateText({ model, prompt: 'Hello', instructions, prepareStep: skills.prepareStep });
    expect(model.calls.map(({ prompt }) => prompt.map(({ role }) => role))).toEqual([['user'], ['user'], ['user']]);
  });

  it('DIS-11: nor once the instructions of the only skill have left it', async () => {
    const skillset = createSkillset({
      skills: [{ ...definitions[0]!, surfaceMode: 'both' }],
      surface: { instructions: 'with-catalog', unload: true },
      catalog: { guidance: 'plain' },
      audience: { tools: () => true },
    });
    const skills = await aiSdkSkills(skillset, { tools: refundTools().tools });
    const model = modelOf([[load], [['unload_skill', { name: 'billing' }]], 'Done.']);
    // The host leaves the catalog out.
    await generateText({ model, prompt: 'Money!', stopWhen, tools: skills.tools, prepareStep: skills.prepareStep });
    expect(model.calls.map(({ prompt }) => prompt[0]?.role)).toEqual(['user', 'system', 'user']);
  });
});

describe('needsApproval of a tool', () => {
  const asking = (ran: number[]) => ({
    process_refund: tool({
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: async ({ amount }) => amount > 10,
      execute: async ({ amount }) => ran.push(amount),
    }),
  });
  const asked = (content: readonly { readonly type: string }[]) => content.filter(({ type }) => type === 'tool-approval-request').length;

  it('GOV-1: asks nobody about a call that is locked, without a toolApproval; once it is open, it asks as ever', async () => {
    const ran: number[] = [];
    const skills = await aiSdkSkills(createSkillset({ skills: definitions }), { tools: asking(ran) });
    const settings = skills.agentSettings();
    const locked = modelOf([[refund(50)], 'No.']);
    const first = await generateText({ model: locked, prompt: 'Money!', stopWhen, ...settings });
    expect(asked(first.content)).toBe(0);
    expect(toolTexts(locked.calls[1]!)[0]).toContain('is locked until');
    const open = await generateText({ model: modelOf([[load], [refund(5)], [refund(50)]]), prompt: 'Money!', stopWhen, ...settings });
    expect([asked(open.content), ran]).toEqual([1, [5]]);
  });
});

describe('one agent of a module', () => {
  it('GOV-10, ADP-4: has the state of each conversation through prepareCall', async () => {
    const { ran, tools } = refundTools();
    const skillset = createSkillset({ skills: definitions });
    const conversations = new Map<string, { current: SkillState }>();
    const model = modelOf([[load], 'Loaded.', [refund(1)], 'No.', [refund(2)], 'Done.']);
    // As a module has it: made once, before anyone is there.
    const agent = new ToolLoopAgent<{ readonly conversation: string }, ToolSet>({
      model,
      async prepareCall({ options, ...call }) {
        const { conversation } = options;
        const state = conversations.get(conversation) ?? { current: emptySkillState };
        conversations.set(conversation, state);
        const skills = await aiSdkSkills(skillset, { tools, state });
        return { ...call, ...skills.agentSettings({ instructions: 'You are a support agent.' }) };
      },
    });
    await agent.generate({ prompt: 'Money!', options: { conversation: 'a' } });
    await agent.generate({ prompt: 'Money!', options: { conversation: 'b' } });
    await agent.generate({ prompt: 'Money!', options: { conversation: 'a' } });
    expect(ran).toEqual([2]);
    expect([...conversations].map(([id, { current }]) => [id, loadedSkillNames(current)])).toEqual([
      ['a', ['billing']],
      ['b', []],
    ]);
    expect(model.calls.every(({ prompt }) => prompt[0]?.role === 'system')).toBe(true);
  });
});

describe('what a host gives', () => {
  it('ADP-4: a provider is as good as a skillset', async () => {
    const skills = await aiSdkSkills(new SkillRegistry({ skills: definitions }));
    expect(Object.keys(skills.tools)).toContain('load_skill');
    await expect(aiSdkSkills({ skills: definitions } as never)).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('ADP-4: a slip of the pen is refused by types and at run time', async () => {
    const skillset = createSkillset({ skills: definitions });
    // @ts-expect-error -- no such word
    await expect(aiSdkSkills(skillset, { gate: 'activ' })).rejects.toThrow('Give "refuse" or "hide" or "defer"');
    // @ts-expect-error -- no such option
    await expect(aiSdkSkills(skillset, { withdrw: true })).rejects.toThrow('Did you mean "withdraw"?');
    // @ts-expect-error -- no such field
    expect(() => defineSkill({ name: 'a', description: 'b', body: 'c', resource: {} })).toThrow('did you mean resources?');
    // @ts-expect-error -- no such option
    expect(() => createSkillset({ skils: [] })).toThrow();
    const skills = await aiSdkSkills(skillset);
    // @ts-expect-error -- no such option
    expect(() => skills.agentSettings({ instruction: 'x' })).toThrow('Did you mean "instructions"?');
  });

  it('GOV-1: tools that a skill in code has with it need not be handed over again; those that are win', async () => {
    const ran: string[] = [];
    const make = (name: string) => tool({ inputSchema: z.object({ amount: z.number() }), execute: async () => ran.push(name) });
    const billing = defineSkill({
      name: 'billing',
      description: 'Refunds.',
      body: 'Call it.',
      tools: { process_refund: make('own') },
    });
    for (const tools of [undefined, { process_refund: make('handed') }]) {
      const skills = await aiSdkSkills(createSkillset({ skills: [billing] }), tools && { tools });
      const model = modelOf([[refund(1)], [load], [refund(2)], 'Done.']);
      await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings() });
      expect(toolTexts(model.calls[1]!)[0]).toContain('is locked until');
    }
    expect(ran).toEqual(['own', 'handed']);
  });

  it('GOV-5: a tool that a role does not have is not there; hooks of the skillset change what a model gets', async () => {
    const { ran, tools } = refundTools();
    const skillset = createSkillset<string>({
      skills: definitions,
      audience: { tools: (name, role) => role === 'admin' || name !== 'process_refund' },
      hooks: skillHooks<string>({ afterLoad: ({ body, context }) => ({ body: `${body} You serve ${context}.` }) }),
    });
    const skills = await aiSdkSkills(skillset, { tools, context: 'support' });
    const model = modelOf([[load], [refund(1)], 'Done.']);
    await generateText({ model, prompt: 'Money!', stopWhen, ...skills.agentSettings() });
    expect(model.calls.flatMap(toolNames)).not.toContain('process_refund');
    expect(toolTexts(model.calls[1]!)[0]).toContain('You serve support.');
    expect(ran).toEqual([]);
  });
});

it('GOV-10: the context of a skillset is required, or a session that has it', async () => {
  const tenants = createSkillset<{ tenant: string }>({ skills: definitions, audience: { select: (_, { tenant }) => tenant === 'a' } });
  const { tools } = refundTools();
  // @ts-expect-error: without the option `context`
  await expect(aiSdkSkills(tenants)).rejects.toMatchObject({ code: 'invalid-options' });
  // @ts-expect-error: without the option `context`
  await expect(aiSdkSkills(tenants, { tools })).rejects.toMatchObject({ code: 'invalid-options' });
  const context = { tenant: 'a' };
  const skills = await aiSdkSkills(tenants, { tools, context });
  expect(Object.keys(skills.tools)).toContain('process_refund' satisfies keyof typeof skills.tools);
  expect((await aiSdkSkills(tenants, { session: await tenants.open({ context }) })).session.catalog.skills).not.toEqual([]);
});
