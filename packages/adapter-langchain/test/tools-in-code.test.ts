import { MessagesValue, StateSchema, StateGraph } from '@langchain/langgraph';
import { tool } from '@langchain/core/tools';
import {
  createSkillset,
  defineSkill,
  emptySkillState,
  skillHooks,
  SkillRegistry,
  type SkillActivity,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createSkillTools, langGraphSkills, skillsState, type SkillToolSource } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolTexts, turn } from './scripts.ts';

const user = { messages: [{ role: 'user' as const, content: 'Go' }] };

/** A skill with its own tool, and how often that ran. */
function billingSkill() {
  const ran: string[] = [];
  const refund = tool(
    async ({ id }: { id: string }) => {
      ran.push(id);
      return `Refunded ${id}.`;
    },
    { name: 'process_refund', description: 'Refunds.', schema: z.object({ id: z.string() }) },
  );
  const billing = defineSkill({ name: 'billing', description: 'Refunds.', body: 'Call process_refund.', tools: [refund] });
  return { ran, refund, billing };
}

const script = () =>
  scriptedModel([
    turn(['process_refund', { id: 'a' }]),
    turn(['load_skill', { name: 'billing' }]),
    turn(['process_refund', { id: 'b' }]),
    turn('Done.'),
  ]);

/** Runs the same script in an agent and in a graph. */
const runners: Readonly<Record<string, (options: SkillsetOptions, context?: never) => Promise<{ texts: string[]; bound: string[][] }>>> = {
  agent: async (options) => {
    const model = script();
    const { messages } = await createAgent({ model, tools: [], middleware: [skillsMiddleware(createSkillset(options))] }).invoke(user);
    return { texts: toolTexts(messages), bound: model.calls.map(({ tools }) => tools.map((one) => (one as { name: string }).name)) };
  },
  graph: async (options) => {
    const model = script();
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
    const { messages } = await langGraphSkills(createSkillset(options)).addTo(graph, { model }).compile().invoke(user);
    return { texts: toolTexts(messages), bound: model.calls.map(({ tools }) => tools.map((one) => (one as { name: string }).name)) };
  },
};

it('GOV-1: a tool that the host hands over takes the place of one of that name that a skill has with it', async () => {
  const { billing, ran } = billingSkill();
  const own = tool(async () => 'Refunded by the host.', {
    name: 'process_refund',
    description: 'Refunds.',
    schema: z.object({ id: z.string() }),
  });
  const model = script();
  const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
  const skills = langGraphSkills(createSkillset({ skills: [billing] }), { tools: [own] });
  const { messages } = await skills.addTo(graph, { model }).compile().invoke(user);
  expect(toolTexts(messages).at(-1)).toBe('Refunded by the host.');
  expect(ran).toEqual([]);
  for (const { tools } of model.calls)
    expect(tools.filter((one) => (one as { name: string }).name === 'process_refund').length).toBeLessThanOrEqual(1);
});

describe.each(Object.entries(runners))('tools that a skill in code has with it (%s)', (_, run) => {
  it('GOV-1: are bound without being handed over again, also from a registry, and are locked until the skill is loaded', async () => {
    for (const from of ['skills', 'registry'] as const) {
      const { ran, billing } = billingSkill();
      const { texts, bound } = await run(
        from === 'skills' ? { skills: [billing] } : { provider: new SkillRegistry({ skills: [billing] }) },
      );
      expect(texts[0]).toContain('locked');
      expect(texts[2]).toContain('Refunded b.');
      expect(ran).toEqual(['b']);
      expect(bound[0]).toContain('process_refund');
    }
  });

  it('GOV-5: a tool that a role does not have is not shown to it, and refuses while its skill is loaded', async () => {
    const { ran, billing } = billingSkill();
    const { texts, bound } = await run({ skills: [billing], audience: { tools: (name) => name !== 'process_refund' } });
    expect(bound.flat()).not.toContain('process_refund');
    expect(texts[2]).toContain('not available here');
    expect(ran).toEqual([]);
    const without = await run({ skills: [billing], audience: { tools: (name) => name !== 'load_skill' } });
    expect(without.bound.flat()).not.toContain('load_skill');
    expect(without.texts[1]).toContain('nothing for load_skill to do here');
    expect(ran).toEqual([]);
  });

  it('DIS-3: hooks of the skillset change what a model gets', async () => {
    const { billing } = billingSkill();
    const hooks = skillHooks({ afterLoad: ({ body }) => ({ body: `${body} Ask twice.` }) });
    expect((await run({ skills: [billing], hooks })).texts[1]).toContain('Call process_refund. Ask twice.');
  });
});

describe('skill_loaded', () => {
  const failing: SkillToolSource = {
    stateless: true,
    open: () => Promise.reject(new Error('the server is down')),
    close: async () => {},
  };

  it('DIS-15: is told only once the tools of a skill is open', async () => {
    const { billing } = billingSkill();
    for (const kind of ['tool', 'node'] as const) {
      for (const source of [failing, { ...failing, open: async () => [] }]) {
        const events: SkillActivity[] = [];
        const skillset = createSkillset({ skills: [billing], onEvent: (event) => events.push(event) });
        const skills = langGraphSkills(skillset, { toolSources: [source] });
        const model = scriptedModel([turn(['load_skill', { name: 'billing' }]), turn('Done.')]);
        const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
        if (kind === 'tool') await skills.addTo(graph, { model }).compile().invoke(user);
        else await skills.loadSkillsNode(() => ['billing'])({ messages: [] }, {});
        const told = events.map(({ type }) => type).filter((type) => type !== 'catalog_built');
        expect(told).toEqual([source === failing ? 'skill_failed' : 'skill_loaded']);
        const loaded = events.find((event) => event.type === 'skill_loaded');
        if (source !== failing)
          expect(loaded).toMatchObject({
            skill: 'billing',
            source: 'code',
            version: null,
            digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          });
      }
    }
  });
});

it('ADP-3, GOV-5: skill tools by hand have the tools of skills in code, and leave out what a role does not have', async () => {
  const { ran, billing } = billingSkill();
  const tools = createSkillTools({
    skillRegistry: new SkillRegistry({ skills: [billing] }),
    hooks: { audience: { tools: (name) => name !== 'list_skills' } },
    state: { current: emptySkillState },
  });
  const names = (await tools.now()).map(({ name }) => name);
  expect(names).not.toContain('list_skills');
  const call = async (name: string, args: object) => String(await tools.find((one) => one.name === name)?.invoke(args));
  expect(await call('list_skills', {})).toContain('nothing for list_skills to do here');
  await call('load_skill', { name: 'billing' });
  expect(await call('process_refund', { id: 'c' })).toBe('Refunded c.');
  expect(ran).toEqual(['c']);
});

it('ADP-1: a slip of the pen is refused by types and at run time', () => {
  const skillset = createSkillset({ skills: [] });
  // @ts-expect-error -- no such option
  expect(() => skillsMiddleware(skillset, { withdrw: true })).toThrow('Did you mean "withdraw"?');
  // @ts-expect-error -- no such option
  expect(() => langGraphSkills(skillset, { tool: [] })).toThrow('Did you mean "tools"?');
  // @ts-expect-error -- no such option
  expect(() => createSkillTools({ skillset, toolRegistri: [] })).toThrow('Did you mean "toolRegistry"?');
});
