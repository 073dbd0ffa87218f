import { MemorySaver } from '@langchain/langgraph';
import { createSkillset, defineSkill, type SkillCatalogStore } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { skillsMiddleware, withSkillState } from '@repertoire/adapter-langchain';
import { localTools } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { hostTools, skills } from './billing-skills.ts';
import { systemText, toolTexts, turn, unansweredCalls } from './scripts.ts';
import { bindSkills } from '../src/binding/bind-skills.ts';
import { createToolsOfSkills } from '../src/binding/tools-of-skills.ts';

type KeptCatalogTexts = Parameters<SkillCatalogStore['set']>[1];

const skillset = createSkillset({ skills });
const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

describe('withSkillState', () => {
  it('ADP-1: gives a middleware the state of skills, and takes none away from one that has its own', () => {
    expect(withSkillState({ name: 'approvals' })).toMatchObject({ name: 'approvals', stateSchema: {} });
    expect(() => withSkillState(skillsMiddleware(skillset))).toThrow(
      expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining('without a state of its own') as string }),
    );
  });
});

describe('skillsMiddleware', () => {
  it('ADP-1: an agent finds the catalog, loads a skill, reads its file, and calls the tool that it opened', async () => {
    const { ran, tools, search_docs } = hostTools();
    const model = scriptedModel([
      turn(['load_skill', { name: 'billing' }]),
      turn(['read_skill_file', { skill: 'billing', path: 'references/policy.md' }]),
      turn(['process_refund', { amount: 40 }]),
      turn('Refunded.'),
    ]);
    const agent = createAgent({
      model,
      tools: [search_docs],
      systemPrompt: 'You are kind.',
      middleware: [skillsMiddleware(skillset, { tools })],
    });
    const result = await agent.invoke(user('Money!'));

    expect(result.messages.at(-1)?.text).toBe('Refunded.');
    expect(ran).toEqual(['refund 40']);
    const session = await skillset.open();
    expect(model.calls.map(systemText)).toEqual(model.calls.map(() => session.instructions('You are kind.')));
    expect(new Set(model.calls.map(({ toolNames }) => toolNames.join()))).toEqual(
      new Set(['search_docs,load_skill,read_skill_file,unload_skill,process_refund,lookup_order']),
    );
    expect(toolTexts(result.messages)).toEqual([
      expect.stringMatching(/^<skill_content name="billing" source="code" revision="[\w-]{22}">\n# Billing\n/),
      expect.stringContaining('Refund at most 100 without a manager.'),
      'refunded 40',
    ]);
    expect(unansweredCalls(result.messages)).toEqual([]);
    expect(result.loaded_skills).toMatchObject({ billing: { sequence: 1 } });
    expect(result.loaded_tools).toEqual({ billing: ['process_refund'] });
    expect(Object.keys(result)).not.toContain('_skill_session');
  });

  it('GOV-1: a locked tool refuses in its own execution, and the loop goes on', async () => {
    const { ran, tools } = hostTools();
    const model = scriptedModel([
      turn(['process_refund', { amount: 1 }]),
      turn(['load_skill', { name: 'billing' }], ['process_refund', { amount: 2 }]),
      turn(['process_refund', { amount: 3 }]),
      turn('Done.'),
    ]);
    const { messages } = await createAgent({ model, middleware: [skillsMiddleware(skillset, { tools })] }).invoke(user('Money!'));
    expect(ran).toEqual(['refund 3']);
    const texts = toolTexts(messages);
    expect(texts[0]).toMatch(/^failed: Error \(not-loaded\): The tool process_refund is locked until the skill "billing" is loaded\./);
    expect(texts.filter((text) => text.startsWith('failed: Error (not-loaded)'))).toHaveLength(2);
  });

  it('ADP-1: gate "hide" hides locked tools, and shows open ones at the end in the order of loading', async () => {
    const { tools, search_docs } = hostTools();
    const model = scriptedModel([
      turn(['load_skill', { name: 'orders' }]),
      turn(['load_skill', { name: 'billing' }]),
      turn(['unload_skill', { name: 'orders' }]),
      turn('Done.'),
    ]);
    await createAgent({ model, tools: [search_docs], middleware: [skillsMiddleware(skillset, { tools, gate: 'hide' })] }).invoke(
      user('Go'),
    );
    const always = ['search_docs', 'load_skill', 'read_skill_file', 'unload_skill'];
    expect(model.calls.map(({ toolNames }) => toolNames)).toEqual([
      always,
      [...always, 'lookup_order'],
      [...always, 'lookup_order', 'process_refund'],
      [...always, 'process_refund'],
    ]);
  });

  it('ADP-1: a hidden tool that is called all the same does not run', async () => {
    const { ran, tools } = hostTools();
    const model = scriptedModel([turn(['process_refund', { amount: 1 }]), turn('Done.')]);
    const { messages } = await createAgent({ model, middleware: [skillsMiddleware(skillset, { tools, gate: 'hide' })] }).invoke(user('Go'));
    expect(ran).toEqual([]);
    expect(toolTexts(messages)[0]).toMatch(/^failed: Error \(not-loaded\)/);
  });

  it('ADP-1: skills loaded in parallel are both there, and each call has its own answer', async () => {
    const model = scriptedModel([
      turn(['load_skill', { name: 'billing' }], ['load_skill', { name: 'orders' }], ['load_skill', { name: 'nope' }]),
      turn('Done.'),
    ]);
    const result = await createAgent({ model, middleware: [skillsMiddleware(skillset, { tools: hostTools().tools })] }).invoke(user('Go'));
    expect(Object.keys(result.loaded_skills).toSorted()).toEqual(['billing', 'orders']);
    expect(result.loaded_tools).toEqual({ billing: ['process_refund'], orders: ['lookup_order'] });
    expect(unansweredCalls(result.messages)).toEqual([]);
    expect(toolTexts(result.messages)[2]).toMatch(/^failed: Error \(skill-not-found\)/);
  });

  it.each(['accept', 'pin'] as const)(
    'ADP-1: a thread keeps what is loaded over runs and over agents; what becomes of a changed catalog says onChange: %s',
    async (onChange) => {
      const checkpointer = new MemorySaver();
      const texts = new Map<string, KeptCatalogTexts>();
      const catalogStore = {
        get: (digest: string) => texts.get(digest),
        set: (digest: string, kept: KeptCatalogTexts) => void texts.set(digest, kept),
      };
      const original = createSkillset({ skills, conversation: { catalogStore: onChange === 'pin' ? catalogStore : undefined } });
      const thread = { configurable: { thread_id: 'one' } };
      const { ran, tools } = hostTools();
      const first = scriptedModel([turn(['load_skill', { name: 'billing' }]), turn('Loaded.')]);
      await createAgent({ model: first, checkpointer, middleware: [skillsMiddleware(original, { tools })] }).invoke(user('Go'), thread);

      // Its author changed a description in between.
      const edited = createSkillset({
        conversation: { catalogStore: onChange === 'pin' ? catalogStore : undefined },
        skills: [
          ...skills.filter(({ name }) => name !== 'haiku'),
          defineSkill({ name: 'haiku', description: 'Rewritten.', body: 'Five.' }),
        ],
      });
      const second = scriptedModel([turn(['process_refund', { amount: 5 }], ['load_skill', { name: 'billing' }]), turn('Done.')]);
      const agent = createAgent({ model: second, checkpointer, middleware: [skillsMiddleware(edited, { tools })] });
      for (let time = 0; time < 2; time += 1) {
        if (time === 1) second.calls.length = 0;
        const result = await agent.invoke(user('Again'), thread);
        expect(Object.keys(result.loaded_skills)).toEqual(['billing']);
        expect(result.messages.filter(({ name }) => name === 'load_skill').map(({ text }) => text.slice(0, 40))).toEqual([
          expect.stringMatching(/^<skill_content/),
          ...Array.from({ length: time + 1 }, () => expect.stringMatching(/^Skill "billing" is already active/)),
        ]);
        if (onChange === 'pin') expect(systemText(second.calls[0]!)).toBe(systemText(first.calls[0]!));
        else expect(systemText(second.calls[0]!)).toContain('Rewritten.');
      }
      expect(ran).toEqual(['refund 5', 'refund 5']);
    },
  );

  it('DIS-6: unload locks the tools again, and withdraws the instructions where asked for', async () => {
    const { ran, tools } = hostTools();
    const script = [
      turn(['load_skill', { name: 'billing' }]),
      turn(['unload_skill', { name: 'billing' }]),
      turn(['process_refund', { amount: 1 }]),
      turn('Done.'),
    ];
    const keep = await createAgent({ model: scriptedModel(script), middleware: [skillsMiddleware(skillset, { tools })] }).invoke(
      user('Go'),
    );
    expect(keep.loaded_skills).toEqual({ billing: null });
    expect(keep.loaded_tools).toEqual({ billing: null });
    expect(toolTexts(keep.messages)[0]).toContain('# Billing');
    const gone = await createAgent({
      model: scriptedModel(script),
      middleware: [skillsMiddleware(skillset, { tools, withdraw: true })],
    }).invoke(user('Go'));
    expect(toolTexts(gone.messages)).toEqual([
      expect.stringMatching(/^<skill_content name="billing" source="code" revision="[\w-]{22}" withdrawn="true">\n(?!.*# Billing)/s),
      expect.stringContaining('no longer active'),
      expect.stringMatching(/^failed: Error \(not-loaded\)/),
    ]);
    expect(unansweredCalls(gone.messages)).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('DIS-6: what was loaded in an earlier run is found and withdrawn, since its mark survives a checkpointer', async () => {
    const agentOf = (...turns: ReturnType<typeof turn>[]) =>
      createAgent({ model: scriptedModel(turns), checkpointer, middleware: [skillsMiddleware(skillset, { withdraw: true })] });
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: 'one' } };
    await agentOf(turn(['load_skill', { name: 'haiku' }]), turn('Loaded.')).invoke(user('Go'), thread);
    const loaded = (await checkpointer.getTuple(thread))?.checkpoint.channel_values ?? {};
    for (const key of ['loaded_skills', 'loaded_tools', '_skill_session'])
      expect(JSON.parse(JSON.stringify(loaded[key]))).toEqual(loaded[key]);
    const { messages } = await agentOf(turn(['unload_skill', { name: 'haiku' }]), turn('Done.')).invoke(user('End it'), thread);
    expect(messages.some(({ text }) => text.includes('Five, seven, five.'))).toBe(false);
    expect(unansweredCalls(messages)).toEqual([]);
  });

  it('ADP-1: an abort ends a load with its own reason, and a source that is down is an answer', async () => {
    const reason = new Error('The user left.');
    const controller = new AbortController();
    const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
    const slow = createSkillset({
      provider: {
        ...fixedSkillProvider(skills),
        getSkill: () => {
          controller.abort(reason);
          return new Promise(() => {});
        },
      },
    });
    await expect(
      createAgent({ model, middleware: [skillsMiddleware(slow)] }).invoke(user('Go'), { signal: controller.signal }),
    ).rejects.toThrow();

    const broken = createSkillset({ provider: { ...fixedSkillProvider(skills), getSkill: () => Promise.reject(new Error('disk')) } });
    const again = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
    const { messages } = await createAgent({ model: again, middleware: [skillsMiddleware(broken)] }).invoke(user('Go'));
    expect(toolTexts(messages)).toEqual([expect.stringMatching(/^failed: Error \(source-unavailable\)/)]);
  });

  it('ADP-1: a run that is given up is no source that is down: nothing is judged or left out for it', async () => {
    const reason = new Error('The user left.');
    const leaving = () => {
      const controller = new AbortController();
      const leave = () => {
        controller.abort(reason);
        return Promise.reject(new Error('disk'));
      };
      return { leave, signal: controller.signal };
    };
    const judging = leaving();
    const provider = { ...fixedSkillProvider(skills), listSkills: judging.leave };
    const run = { context: undefined, configurable: {}, signal: judging.signal };
    await expect(bindSkills(createSkillset({ provider }), {}).judge({ tool: 'process_refund' }, {}, run)).rejects.toBe(reason);

    const opening = leaving();
    const toolsOfSkills = createToolsOfSkills([{ open: opening.leave, close: async () => {} }], [], () => {});
    const failed: string[] = [];
    const opened = toolsOfSkills.of(
      [{ name: 'haiku', version: '1.0.0', description: 'Writes haiku.' }],
      { id: 'one', loadedTools: {}, signal: opening.signal },
      (skill) => failed.push(skill),
    );
    await expect(opened).rejects.toBe(reason);
    expect(failed).toEqual([]);
  });

  it('ADP-1: it judges every call, and costs no step of the graph, unless skills bring tools that are to be closed', async () => {
    const hooks = (options: Parameters<typeof skillsMiddleware>[1]) => {
      const middleware = skillsMiddleware(skillset, options);
      return (['beforeModel', 'afterModel', 'wrapToolCall', 'afterAgent'] as const).filter((hook) => middleware[hook] !== undefined);
    };
    expect(hooks({ tools: hostTools().tools, gate: 'hide', withdraw: true, commands: true })).toEqual(['wrapToolCall']);
    expect(hooks({ toolSources: [localTools({})] })).toEqual(['wrapToolCall', 'afterAgent']);
  });

  it('ADP-1: errors of tools stay errors that the model reads', async () => {
    const { tools } = hostTools();
    const model = scriptedModel([
      turn(['load_skill', { name: 'billing' }]),
      turn(['process_refund', { amount: -1 }], ['process_refund', { amount: 'x' }]),
      turn('Done.'),
    ]);
    const { messages } = await createAgent({ model, middleware: [skillsMiddleware(skillset, { tools })] }).invoke(user('Go'));
    const [, thrown, invalid] = toolTexts(messages);
    // Whether it is marked as failed is up to LangChain, and new in some version.
    expect(thrown).toContain('There is no negative refund.');
    expect(invalid).toMatch(/^failed: /);
  });

  it('DIS-1: without skills there is no catalog and there are no skill tools', async () => {
    const model = scriptedModel([turn('Hello.')]);
    await createAgent({ model, systemPrompt: 'You are kind.', middleware: [skillsMiddleware(createSkillset({ skills: [] }))] }).invoke(
      user('Hi'),
    );
    expect([systemText(model.calls[0]!), model.calls[0]!.toolNames]).toEqual(['You are kind.', []]);
  });

  it('DIS-11: skills that are listed in the description of the load tool are told there', async () => {
    const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
    const inTool = createSkillset({ skills, surface: { mode: 'tool-only' } });
    const { messages } = await createAgent({ model, middleware: [skillsMiddleware(inTool)] }).invoke(user('Hi'));
    expect(systemText(model.calls[0]!)).toBe('');
    expect(JSON.stringify(model.calls[0]!.tools)).toContain('Refunds and invoices.');
    expect(model.calls[0]!.toolNames).toContain('load_skill');
    expect(toolTexts(messages)[0]).toContain('Five, seven, five.');
  });
});
