import { ToolMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import {
  createSkillset,
  defineSkill,
  emptySkillState,
  SkillRegistry,
  type SkillActivity,
  resolveSurfaceMode,
} from '@repertoire/skills-core';
import { loadedSkillNames, restoreSkills } from '@repertoire/skills-core/adapter';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as langChainModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount, jsonSchema, tool, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { converse } from './converse.ts';
import { skillFolders } from './skill-folders.ts';

const toolOf = (answer: string) => tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => answer });
const [refundTool, chargeTool, reverseTool, lookupOrderTool] = ['refunded', 'charged', 'reversed', 'order 7'].map(toolOf);

const billingSkill = defineSkill({
  name: 'billing',
  description: 'Read for refund / charge / billing questions. Unlocks process_refund.',
  body: 'When handling billing: confirm the order id, then call process_refund.',
  tools: { process_refund: refundTool!, charge: chargeTool! },
});
const refundSkill = defineSkill({
  name: 'refund',
  description: 'Read for reversals.',
  body: 'Reverse the payment.',
  tools: { reverse: reverseTool! },
});
const compliance = defineSkill({ name: 'compliance', description: 'Rules of the trade.', body: 'Ask twice.' });

const stopWhen = isStepCount(10);
const turn = (toolName: string, input: unknown = {}) => ({ toolCalls: [{ toolName, input }] });
const toolNames = { load: 'read_skill' } as const;
const own = { lookup_order: lookupOrderTool! };
const listed = ['lookup_order', ...Object.keys({ ...billingSkill.toolSet, ...refundSkill.toolSet })];

/** Runs a script, and gives the visible tools of each step and the answers of the tools. */
async function run(script: readonly Parameters<typeof turn>[], options: { readonly gate?: 'hide'; readonly activation?: 'single' } = {}) {
  const registry = new SkillRegistry({ skills: [billingSkill, refundSkill] });
  const skillset = createSkillset({ provider: registry, surface: { names: toolNames }, conversation: { activation: options.activation } });
  const skills = await aiSdkSkills(skillset, {
    tools: own,
    state: { current: emptySkillState },
    ...(options.gate && { gate: options.gate }),
  });
  const model = scriptedModel([...script.map(([name, input]) => turn(name, input)), { text: 'Done.' }]);
  const { responseMessages } = await generateText({ model, prompt: 'Help.', stopWhen, ...skills.agentSettings() });
  const visible = model.calls.map(({ tools = [] }) => tools.map(({ name }) => name).filter((name) => listed.includes(name)));
  const answers = responseMessages.flatMap((message) =>
    message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [JSON.stringify(part.output)] : [])) : [],
  );
  return { visible, answers, names: model.calls[0]?.tools?.map(({ name }) => name) ?? [] };
}

describe('a skill that the model activates', () => {
  it('S4-1 S4-2 S4-3 S4-4 S4-5 S4-6 S4-37 GOV-1: read_skill gives the body, and opens the tools of the skill', async () => {
    const { answers, names } = await run([['process_refund'], ['read_skill', { id: 'billing' }], ['process_refund']]);
    expect(names, 'S4-3').toContain('read_skill');
    expect(answers[0], 'S4-6').toContain('locked');
    expect(answers[1], 'S4-1 S4-4 S4-5 S4-37').toContain('confirm the order id, then call process_refund');
    expect(answers[2], 'S4-2').toContain('refunded');
  });

  it('S4-7 S4-31 S4-36 GOV-1: with gate "hide", the tools of a skill are not shown before', async () => {
    const { visible } = await run([['read_skill', { id: 'billing' }]], { gate: 'hide' });
    expect(visible, 'S4-7 S4-31').toEqual([['lookup_order'], ['lookup_order', 'process_refund', 'charge']]);
    const { session } = await converse({ skills: [{ ...compliance, tools: ['audit'], autoActivate: 'currentSkill' }] });
    expect(session.catalog.skills[0]?.autoActivate, 'S4-36').toBe('currentSkill');
  });

  it('S4-32 GOV-1: tools that are open from the start are said to be so', async () => {
    const { session } = await converse({ skills: [{ ...compliance, tools: ['audit'], autoActivate: 'always' }] });
    expect((await session.judgeCall(emptySkillState, { tool: 'audit', input: {} })).decision).toBe('allowed');
  });

  it('S4-33 S4-35 S4-38 GOV-1: with activation "single", only the tools of the current skill are visible', async () => {
    const single = await run(
      [
        ['read_skill', { id: 'billing' }],
        ['read_skill', { id: 'refund' }],
      ],
      { gate: 'hide', activation: 'single' },
    );
    expect(single.visible, 'S4-33 S4-38').toEqual([
      ['lookup_order'],
      ['lookup_order', 'process_refund', 'charge'],
      ['lookup_order', 'reverse'],
    ]);
    const conversation = await converse({ skills: [billingSkill, refundSkill], conversation: { activation: 'single' } });
    await conversation.call('load_skill', { id: 'billing' });
    await conversation.call('load_skill', { id: 'refund' });
    expect(loadedSkillNames(conversation.state), 'S4-35').toEqual(['refund']);
  });

  it('S4-8 S4-9 DIS-15: the activation is an event; a skill stays loaded for the conversation', async () => {
    const events: SkillActivity[] = [];
    const { call, session, ...rest } = await converse({ skills: [billingSkill], onEvent: (event) => events.push(event) });
    await call('load_skill', { id: 'billing' });
    expect(events, 'S4-8').toContainEqual(expect.objectContaining({ type: 'skill_loaded', skill: 'billing', by: 'model' }));
    expect(Object.keys(rest)).toContain('state');
    const { text, events: none } = await call('load_skill', { id: 'billing' });
    expect(text, 'S4-9').toContain('already active');
    expect(none).toEqual([]);
    expect(session.state([]).loaded).toEqual({});
  });

  it('S4-9 GOV-1: with a fresh state in each request, the tools of a skill are closed again in the next run', async () => {
    const skillset = createSkillset({ skills: [billingSkill] });
    const request = async (messages: ModelMessage[], script: readonly Parameters<typeof turn>[]) => {
      const skills = await aiSdkSkills(skillset, { state: { current: emptySkillState } });
      const model = scriptedModel([...script.map(([name, input]) => turn(name, input)), { text: 'Done.' }]);
      return (await generateText({ model, messages, stopWhen, ...skills.agentSettings() })).responseMessages;
    };
    const asked: ModelMessage = { role: 'user', content: 'A refund, please.' };
    const first = await request([asked], [['load_skill', { name: 'billing' }], ['process_refund']]);
    expect(JSON.stringify(first), 'S4-9').toContain('refunded');
    const second = await request([asked, ...first, { role: 'user', content: 'Hello.' }], [['process_refund']]);
    expect(JSON.stringify(second), 'S4-9').toContain('locked');
    expect(JSON.stringify(second), 'S4-9').not.toContain('refunded');
  });

  it('S4-9 ADP-2: with activeFor "run", the middleware of LangChain ends skills with the run', async () => {
    const refund = langChainTool(async () => 'refunded', { name: 'process_refund', description: 'Refunds.', schema: z.object({}) });
    const billing = defineSkill({ name: 'billing', description: 'Refunds.', body: 'Call process_refund.', tools: [refund] });
    const texts = async (activeFor: 'run' | 'conversation') => {
      const script = [turn('load_skill', { name: 'billing' }), turn('process_refund'), { text: 'Done.' }];
      const model = langChainModel([...script, turn('process_refund'), ...script]);
      const agent = createAgent({
        model,
        tools: [],
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(createSkillset({ skills: [billing] }), { activeFor })],
      });
      const thread = { configurable: { thread_id: 'one' } };
      const say = (content: string) => agent.invoke({ messages: [{ role: 'user', content }] }, thread);
      await say('A refund, please.');
      const { messages } = await say('Hello.');
      return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
    };
    const ended = await texts('run');
    expect(ended[1], 'S4-9').toBe('refunded');
    expect(ended[2], 'S4-9').toContain('locked');
    // Loaded again, its text is given again, and its tools are open.
    expect([ended[3], ended[4]], 'S4-9').toEqual([expect.stringContaining('Call process_refund.'), 'refunded']);
    expect((await texts('conversation'))[2], 'S4-9').toBe('refunded');
  });

  it('S4-42 GOV-1: tools of a skill in a file are closed where the host gates them', async () => {
    const root = await skillFolders({
      'billing/SKILL.md': '---\nname: billing\ndescription: Refunds.\ntools: [process_refund]\n---\nAsk.',
    });
    const provider = fileSystemSkillProvider({ roots: [root] });
    const decision = async (gatedTools: readonly string[]) => {
      const { session } = await converse({ provider, gates: { tools: gatedTools } });
      return (await session.judgeCall(emptySkillState, { tool: 'process_refund', input: {} })).decision;
    };
    expect([await decision([]), await decision(['process_refund'])], 'S4-42').toEqual(['allowed', 'denied']);
  });

  it('S4-34 GOV-1: whether a tool is open is asked of the session, for a chain of tools of one’s own', async () => {
    const { session } = await converse({ skills: [billingSkill, refundSkill] });
    const open = async (state = emptySkillState) => {
      const tools = ['lookup_order', 'process_refund', 'charge', 'reverse'];
      const verdicts = await Promise.all(tools.map((name) => session.judgeCall(state, { tool: name, input: {} })));
      return tools.filter((_, index) => verdicts[index]?.decision !== 'denied');
    };
    expect(await open()).toEqual(['lookup_order']);
    const { events } = await session.load({ name: 'billing' }, { state: emptySkillState });
    expect(await open(session.apply(emptySkillState, events))).toEqual(['lookup_order', 'process_refund', 'charge']);
  });
});

describe('where the body stands', () => {
  it('S4-11 DIS-11: what "auto" means', () => {
    expect(resolveSurfaceMode('anthropic', 'claude-sonnet-4-5-20250929')).toBe('both');
    expect(resolveSurfaceMode('openai', 'gpt-4o')).toBe('tool-only');
  });

  it.each([
    ['system-prompt', true, false],
    ['tool-only', false, true],
    ['both', true, true],
  ] as const)('S4-10 S4-12 S4-13 DIS-11: %s', async (surfaceMode, inPrompt, inResult) => {
    const { call, session, ...conversation } = await converse({
      skills: [{ ...compliance, surfaceMode }],
      surface: { instructions: 'with-catalog' },
    });
    const { text, events } = await call('load_skill', { id: 'compliance' });
    const state = session.apply(emptySkillState, events);
    expect(conversation.toolNames, 'S4-10').toContain('load_skill');
    expect([(await session.activeInstructions(state)).includes('Ask twice.'), text.includes('Ask twice.')], 'S4-12 S4-13').toEqual([
      inPrompt,
      inResult,
    ]);
  });

  it('S4-13 DIS-11: what stands in the system prompt is not restored as a tool result after a cut', async () => {
    const { session } = await converse({
      skills: [{ ...compliance, surfaceMode: 'system-prompt' }],
      surface: { instructions: 'with-catalog' },
    });
    const { events } = await session.load({ name: 'compliance' }, { state: emptySkillState });
    const cut = session.apply(session.apply(emptySkillState, events), [{ type: 'compacted' }]);
    expect(await restoreSkills(session, [], { state: cut })).toEqual([]);
    expect(await session.activeInstructions(cut)).toContain('Ask twice.');
  });

  it('S4-14 DIS-11: by default the list stands in the system prompt, and the body comes as a tool result', async () => {
    const { session, call } = await converse({ skills: [compliance] });
    const { text, events } = await call('load_skill', { id: 'compliance' });
    expect(session.catalog.text).toContain('compliance');
    expect(text).toContain('Ask twice.');
    expect(await session.activeInstructions(session.apply(emptySkillState, events))).toBe('');
  });

  it('S4-15 DIS-12: a refresh policy repeats the body', async () => {
    const { session } = await converse({ skills: [{ ...compliance, refreshPolicy: { afterTokens: 50_000, via: 'tool-result' } }] });
    const { text } = await session.load({ name: 'compliance' }, { state: emptySkillState, at: 100 });
    const entry = { tool: 'load_skill', input: { name: 'compliance' }, output: text, at: 100 };
    const after = async (tokens: number) =>
      (
        await restoreSkills(session, [
          { role: 'tool', entries: [entry], tokens: 100 },
          { role: 'user', entries: [], tokens },
        ])
      ).map(({ name }) => name);
    expect([await after(49_999), await after(50_000)]).toEqual([[], ['compliance']]);
  });
});

describe('SkillRegistry', () => {
  it('S4-16 S4-18 S4-19 CON-6: register in a chain, has, get, list, clear, size, unregister; what is wrong throws', () => {
    const registry = new SkillRegistry();
    registry.register(billingSkill).register(refundSkill).register(compliance);
    expect([registry.size, registry.has('billing'), registry.get('refund')?.name], 'S4-16').toEqual([3, true, 'refund']);
    expect(registry.list().map(({ name }) => name)).toEqual(['billing', 'compliance', 'refund']);
    expect(() => registry.register(compliance), 'S4-18').toThrow(expect.objectContaining({ code: 'duplicate-skill' }));
    expect(() => registry.register({ kind: 'steering' } as never), 'S4-19').toThrow(expect.objectContaining({ code: 'invalid-skill' }));
    expect([registry.unregister('refund'), registry.unregister('refund'), registry.size]).toEqual([true, false, 2]);
    registry.clear();
    expect(registry.size).toBe(0);
  });

  it('S4-17 CON-6: replace(skill) replaces by the name that the skill has', () => {
    const registry = new SkillRegistry({ skills: [compliance] }).replace({ ...compliance, body: 'Ask thrice.' });
    expect(registry.get('compliance')?.body).toBe('Ask thrice.');
  });

  it('S4-20 CON-6: agents that share a registry see what it has when their session is opened', async () => {
    const registry = new SkillRegistry({ skills: [compliance] });
    const [support, escalation] = [createSkillset({ provider: registry }), createSkillset({ provider: registry })];
    registry.register(refundSkill);
    for (const skillset of [support, escalation]) {
      expect((await skillset.open()).catalog.skills.map(({ name }) => name)).toEqual(['compliance', 'refund']);
    }
  });

  it('S4-21 S4-23 DIS-11: the registry has a surface mode; a skill’s own wins', async () => {
    const registry = new SkillRegistry({ surfaceMode: 'tool-only' });
    registry.register({ ...billingSkill, surfaceMode: 'auto' }).register({ ...refundSkill, surfaceMode: 'both' });
    const { session } = await converse({ provider: registry });
    expect(session.catalog.text, 'S4-21').not.toContain('"billing"');
    expect(session.catalog.text, 'S4-23').toContain('"refund"');
    expect(session.catalog.toolText).toContain('"billing"');
    expect(session.catalog.toolText).toContain('"refund"');
  });

  it('S4-22 S4-23 S4-24 DIS-11: resolveForSkill tells the mode of a skill: its own, the registry’s, that of the model', () => {
    const plain = new SkillRegistry({ skills: [billingSkill, { ...refundSkill, surfaceMode: 'both' }] });
    expect(plain.resolveForSkill('billing', 'anthropic', 'claude-sonnet-4-5'), 'S4-22').toBe('both');
    expect(plain.resolveForSkill('billing', 'openai', 'gpt-4o'), 'S4-24').toBe('tool-only');
    expect(plain.resolveForSkill(plain.get('refund')!, 'openai'), 'S4-23').toBe('both');
    expect(new SkillRegistry({ skills: [billingSkill], surfaceMode: 'system-prompt' }).resolveForSkill('billing', 'openai')).toBe(
      'system-prompt',
    );
    expect(new SkillRegistry({ skills: [billingSkill], providerHint: 'anthropic' }).resolveForSkill('billing')).toBe('both');
    expect(() => plain.resolveForSkill('unknown')).toThrow(expect.objectContaining({ code: 'skill-not-found' }));
  });

  it('S4-25 S4-26 S4-27 DIS-7: toTools gives a tool that lists and a tool that loads; an empty registry gives none', async () => {
    const registry = new SkillRegistry({ skills: [compliance, refundSkill] });
    const { listSkills, loadSkill } = registry.toTools({ surface: { names: toolNames } });
    expect([listSkills?.name, loadSkill?.name], 'S4-25').toEqual(['list_skills', 'read_skill']);
    expect(loadSkill?.description, 'S4-27').not.toContain('compliance');
    expect((await listSkills!.execute({}, { state: emptySkillState })).text).toContain('compliance');
    const { text, events } = await loadSkill!.execute({ id: 'compliance' }, { state: emptySkillState });
    expect(text).toContain('Ask twice.');
    expect(events).toMatchObject([{ type: 'loaded', name: 'compliance' }]);
    expect(new SkillRegistry().toTools(), 'S4-26').toEqual({ listSkills: undefined, loadSkill: undefined });
    // The AI SDK takes them as they are.
    const model = scriptedModel([turn('list_skills'), turn('read_skill', { id: 'refund' }), { text: 'Done.' }]);
    const { responseMessages } = await generateText({
      model,
      prompt: 'Go',
      stopWhen,
      tools: { list_skills: listSkills!, read_skill: loadSkill!, ...own },
    });
    const answers = responseMessages.flatMap((message) =>
      message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])) : [],
    );
    expect(answers, 'S4-25').toEqual([
      { type: 'text', value: expect.stringContaining('compliance') },
      { type: 'text', value: expect.stringContaining('Reverse the payment.') },
    ]);
    expect(JSON.stringify(model.calls[0]?.tools), 'S4-25').toContain('"required":["name"]');
  });
});

describe('roles', () => {
  it('S4-28 GOV-5: a role may list and not load', async () => {
    const { call, session } = await converse({ skills: [compliance], audience: { permissions: ({ action }) => action === 'list' } });
    expect(session.catalog.text).toContain('compliance');
    expect((await call('load_skill', { id: 'compliance' })).error?.code).toBe('permission-denied');
  });

  it('S4-29 GOV-5: a role may load and not list', async () => {
    const { call, session } = await converse({ skills: [compliance], audience: { permissions: ({ action }) => action !== 'list' } });
    expect(session.catalog.text).not.toContain('compliance');
    expect((await call('load_skill', { id: 'compliance' })).text).toContain('Ask twice.');
  });

  it('S4-30 GOV-5: a tool that a role does not have is not shown, and refuses', async () => {
    const skillset = createSkillset<string>({
      skills: [billingSkill],
      audience: { tools: (name, role) => role === 'admin' || name !== 'process_refund' },
    });
    for (const [context, shown] of [
      ['admin', true],
      ['readonly', false],
    ] as const) {
      const skills = await aiSdkSkills(skillset, { context });
      expect(Object.keys(skills.tools).includes('process_refund')).toBe(shown);
      const state = skills.session.apply(
        emptySkillState,
        (await skills.session.load({ name: 'billing' }, { state: emptySkillState })).events,
      );
      expect((await skills.session.judgeCall(state, { tool: 'process_refund' })).decision).toBe(shown ? 'allowed' : 'denied');
    }
  });

  it('S4-30 GOV-5: the skill tools are data, so that a host can leave one out for a role', async () => {
    const { session } = await converse({ skills: [compliance], surface: { tools: 'full' } });
    const [list, load] = session.tools;
    expect([list?.role, load?.role]).toEqual(['list', 'load']);
    const { loadSkill, ...forReaders } = new SkillRegistry({ skills: [compliance] }).toTools();
    expect([loadSkill?.name, Object.values(forReaders).map((one) => one?.name)]).toEqual(['load_skill', ['list_skills']]);
  });

  it('S4-41 DIS-2: the catalog has a budget', async () => {
    const skills = Array.from({ length: 50 }, (_, index) =>
      defineSkill({ name: `skill-${index}`, description: 'Does a thing. '.repeat(40), body: 'x' }),
    );
    const { session } = await converse({ skills, catalog: { maxTokens: 500 } });
    expect(session.catalog.tokens).toBeLessThanOrEqual(500);
  });
});
