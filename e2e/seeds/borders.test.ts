import { run, setTracingDisabled, tool as agentTool } from '@openai/agents-core';
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing';
import { HumanMessage } from '@langchain/core/messages';
import { tool as chatTool } from '@langchain/core/tools';
import { MemorySaver, MessagesValue, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { createSkillTools, langGraphSkills, localTools as chatLocalTools, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { localTools as agentLocalTools, openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills, localTools } from '@repertoire/adapter-vercel-ai';
import { compileAgent } from '@repertoire/declarative';
import { withSkillCards } from '@repertoire/skill-cards';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { httpSkillProvider } from '@repertoire/skill-http';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { composeProviders, createSkillset, defineSkill, selectSkills, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { simpleSkillProvider } from '@repertoire/skills-core/provider';
import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as chatModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skillFolders } from './skill-folders.ts';
import { weatherFiles, weatherProvider } from './weather-skill.ts';

setTracingDisabled(true);

/** All that a foreign skill may say of itself. */
const foreign = {
  name: 'pdf-forms',
  description: 'Fills PDF forms. Use for forms.',
  license: 'MIT',
  compatibility: 'Needs poppler.',
  metadata: { team: 'docs' },
  allowedTools: ['Read', 'Bash(pdftk:*)'],
};
const body = 'Read references/forms.md.';
const files = { 'references/forms.md': 'Name, then date.' };

describe('what of a skill comes over the border of a source', () => {
  const definition = { ...foreign, body, resources: files };
  const sources: Readonly<Record<string, () => Promise<SkillProvider>>> = {
    'skills in code': async () => new SkillRegistry({ skills: [definition] }),
    simpleSkillProvider: async () =>
      simpleSkillProvider(
        {
          listSkills: async () => [foreign],
          getSkill: async (name) => (name === foreign.name ? { ...foreign, body, resources: [{ path: 'references/forms.md' }] } : null),
          readResource: async (_name, path) => (path === 'references/forms.md' ? files[path] : null),
        },
        { label: 'theirs', trusted: true },
      ),
    folders: async () => {
      const { metadata, ...rest } = foreign;
      const skillMd = serializeSkillMd({ ...rest, metadata, version: null, body });
      return fileSystemSkillProvider({
        roots: [await skillFolders({ 'pdf-forms/SKILL.md': skillMd, 'pdf-forms/references/forms.md': files['references/forms.md'] })],
      });
    },
    'the web': async () =>
      httpSkillProvider({
        url: 'https://skills.example.com',
        trusted: true,
        fetch: createSkillsHandler(new SkillRegistry({ skills: [definition] })),
      }),
    'a part of several': async () =>
      selectSkills(composeProviders([new SkillRegistry({ skills: [definition] }), new SkillRegistry({ label: 'other' })]), () => true),
  };

  it.each(Object.entries(sources))(
    'S3-1 S3-61 CON-5: all fields of a skill, from %s, and its restriction with them',
    async (_source, make) => {
      const provider = await make();
      const [listed] = (await provider.listSkills()).skills;
      const skill = await provider.getSkill(foreign.name);
      expect(listed, 'S3-1 S3-61').toMatchObject(foreign);
      expect(skill, 'S3-1 S3-61').toMatchObject({ ...foreign, body });
      expect(new TextDecoder().decode((await provider.readResource(foreign.name, 'references/forms.md'))?.bytes)).toBe('Name, then date.');
    },
  );
});

describe('which tools are bound in the end, and under which names', () => {
  const answer = async () => 'refunded';
  const ai = { process_refund: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: answer }) };
  const chat = chatTool(answer, { name: 'process_refund', description: 'Refunds.', schema: z.object({}) });
  const agent = agentTool({ name: 'process_refund', description: 'Refunds.', parameters: z.object({}), execute: answer });
  const billing = { name: 'billing', description: 'Refunds. Use when a customer wants money back.', body: 'Call process_refund.' };
  const inForm = (form: 'list' | 'object', one: { readonly name: string }) => (form === 'list' ? [one] : { [one.name]: one });
  const skillTools = ['load_skill', 'read_skill_file', 'unload_skill'];

  type Bound = (form: 'list' | 'object') => Promise<readonly (string | undefined)[]>;
  const ways: Readonly<Record<string, Bound>> = {
    'the AI SDK': async () => {
      const skills = await aiSdkSkills(createSkillset({ skills: [defineSkill({ ...billing, tools: ai })] }));
      const model = scriptedModel([{ text: 'x' }]);
      await generateText({ model, prompt: 'x', ...skills.agentSettings() });
      return model.calls[0]?.tools?.map(({ name }) => name) ?? [];
    },
    createAgent: async (form) => {
      const model = chatModel([{ text: 'x' }]);
      const skillset = createSkillset({ skills: [{ ...billing, tools: ['process_refund'] }] });
      const middleware = [skillsMiddleware(skillset, { tools: inForm(form, chat) as [typeof chat] })];
      await createAgent({ model, middleware }).invoke({ messages: [new HumanMessage('x')] });
      return model.calls[0]?.toolNames ?? [];
    },
    'createAgent, with the tools of the skill': async (form) => {
      const model = chatModel([{ text: 'x' }]);
      const skillset = createSkillset({ skills: [defineSkill({ ...billing, tools: inForm(form, chat) as [typeof chat] })] });
      await createAgent({ model, middleware: [skillsMiddleware(skillset)] }).invoke({ messages: [new HumanMessage('x')] });
      return model.calls[0]?.toolNames ?? [];
    },
    'a graph': async (form) => {
      const model = chatModel([{ text: 'x' }]);
      const skillset = createSkillset({ skills: [{ ...billing, tools: ['process_refund'] }] });
      const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
      const skills = langGraphSkills(skillset, { tools: inForm(form, chat) as [typeof chat] });
      await skills
        .addTo(graph, { model })
        .compile()
        .invoke({ messages: [new HumanMessage('x')] });
      return model.calls[0]?.toolNames ?? [];
    },
    createSkillTools: async (form) => {
      const skillRegistry = new SkillRegistry({ skills: [{ ...billing, tools: ['process_refund'] }] });
      const tools = createSkillTools({
        skillRegistry,
        toolRegistry: inForm(form, chat) as [typeof chat],
        surface: { tools: 'progressive' },
      });
      return tools.map(({ name }) => name);
    },
    'OpenAI Agents': async (form) => {
      const model = new ScriptedModel([[assistantMessage('x')]]);
      const skills = openAiAgentsSkills(
        createSkillset({ skills: [defineSkill({ ...billing, tools: inForm(form, agent) as [typeof agent] })] }),
      );
      await run(skills.agent({ name: 'clerk', model }), 'x');
      return model.calls[0]?.request.tools.map((one) => ('name' in one ? one.name : undefined)) ?? [];
    },
  };

  it.each(Object.entries(ways).flatMap(([way, bound]) => (['list', 'object'] as const).map((form) => [way, form, bound] as const)))(
    'S4-2 GOV-1: by %s from a %s: the skill tools, then the tool under its own name, once',
    async (_way, form, bound) => {
      expect((await bound(form)).toSorted(), 'S4-2').toEqual([...skillTools, 'process_refund'].toSorted());
    },
  );

  it.each(['list', 'object'] as const)('DEC-1: a YAML agent binds the tool of a loaded skill from a %s, and nothing else', async (form) => {
    const model = chatModel([{ toolCalls: [{ toolName: 'load_skill_md', input: { skill_id: 'billing' } }] }, { text: 'x' }]);
    const yaml = `skills: [{ id: billing }]\nllms: [{ id: main }]\nnodes: [{ name: a, type: call_llm, args: { prompt: '"Go."', tools: [{ id: load_skill_md }], use_tools_from_loaded_skills: true } }]\n`;
    const skills = new SkillRegistry({ skills: [{ ...billing, tools: ['process_refund'] }] });
    const graph = await compileAgent(yaml, { models: { main: model }, tools: inForm(form, chat) as [typeof chat], skills });
    await graph.invoke({ messages: [new HumanMessage('x')] });
    expect(model.calls.map(({ toolNames }) => toolNames)).toEqual([['load_skill_md'], ['load_skill_md', 'process_refund']]);
  });

  it('S4-2 GOV-1: a tool under a name that is not its own is refused, since the gate of one would not close the other', async () => {
    const misnamed = { refund: chat };
    expect(() => defineSkill({ ...billing, tools: misnamed }), 'S4-2').toThrow(/or tools by name/);
    const skillset = createSkillset({ skills: [billing] });
    expect(() => skillsMiddleware(skillset, { tools: misnamed })).toThrow(/"process_refund" stands in `tools` under the name "refund"/);
  });

  it('S3-34 DIS-8: a tool of the host with the name of a skill tool is refused in every adapter, wherever it is handed over', async () => {
    const skillset = createSkillset({ skills: [billing] });
    const mine = chatTool(answer, { name: 'load_skill', description: 'Mine.', schema: z.object({}) });
    const own = { load_skill: ai.process_refund };
    const model = () => chatModel([{ text: 'x' }]);
    const input = { messages: [new HumanMessage('x')] };
    const graph = () => new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
    const refusals: Readonly<Record<string, () => unknown>> = {
      aiSdkSkills: async () => await aiSdkSkills(skillset, { tools: own }),
      agentSettings: async () => (await aiSdkSkills(skillset)).agentSettings({ tools: own }),
      skillsMiddleware: () => skillsMiddleware(skillset, { tools: [mine] }),
      createAgent: async () => await createAgent({ model: model(), tools: [mine], middleware: [skillsMiddleware(skillset)] }).invoke(input),
      langGraphSkills: () => langGraphSkills(skillset, { tools: [mine] }),
      addTo: async () =>
        await langGraphSkills(skillset)
          .addTo(graph(), { model: model(), tools: [mine] })
          .compile()
          .invoke(input),
      createSkillTools: () => createSkillTools({ skillRegistry: new SkillRegistry({ skills: [billing] }), toolRegistry: [mine] }),
      openAiAgentsSkills: async () =>
        await run(
          openAiAgentsSkills(skillset).agent({
            name: 'clerk',
            model: new ScriptedModel([[assistantMessage('x')]]),
            tools: [agentTool({ name: 'load_skill', description: 'Mine.', parameters: z.object({}), execute: answer })],
          }),
          'x',
        ),
    };
    for (const [way, attempt] of Object.entries(refusals)) {
      const error: unknown = await Promise.resolve()
        .then(attempt)
        .catch((thrown: unknown) => thrown);
      expect(String(error), `S3-34 ${way}`).toMatch(/"load_skill" has the name of a skill tool/);
    }
  });

  it('S4-25: the two tools of a registry run in the AI SDK and in createAgent, and answer the same', async () => {
    const { listSkills, loadSkill } = new SkillRegistry({ skills: [billing] }).toTools();
    const script = () => [
      { toolCalls: [{ toolName: 'list_skills', input: {} }] },
      { toolCalls: [{ toolName: 'load_skill', input: { name: 'billing' } }] },
      { toolCalls: [{ toolName: 'load_skill', input: { name: 'nobody' } }] },
      { text: 'x' },
    ];
    const model = chatModel(script());
    const { messages } = await createAgent({ model, tools: [listSkills as never, loadSkill as never] }).invoke({
      messages: [new HumanMessage('x')],
    });
    const inChat = messages.flatMap((message) => (message.type === 'tool' ? [message.text] : []));
    const { responseMessages } = await generateText({
      model: scriptedModel(script()),
      prompt: 'x',
      tools: { list_skills: listSkills!, load_skill: loadSkill! },
      stopWhen: isStepCount(5),
    });
    const inSdk = responseMessages.flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) => (part.type === 'tool-result' && 'value' in part.output ? [part.output.value] : []))
        : [],
    );
    expect(inChat, 'S4-25').toEqual([
      expect.stringContaining('Refunds. Use when'),
      expect.stringContaining('Call process_refund.'),
      expect.stringContaining('There is no skill "nobody"'),
    ]);
    expect(inChat, 'S4-25').toEqual(inSdk);
  });

  it('S0-31 SRC-8: a local tool whose name is taken gets the name of its skill before its own, in each adapter', async () => {
    const fields = { local_tools: { process_refund: { import_path: './tools.js' } } };
    const provider = new SkillRegistry({ skills: [{ ...billing, fields }] });
    const skillset = createSkillset({ provider });
    const own = ['process_refund', 'billing__process_refund'];
    const sdk = await aiSdkSkills(skillset, { tools: ai, toolSources: [localTools({ map: ai })] });
    expect(
      Object.keys(sdk.tools).filter((name) => name.includes('refund')),
      'S0-31',
    ).toEqual(own);
    const load = { toolCalls: [{ toolName: 'load_skill', input: { name: 'billing' } }] };
    const model = chatModel([load, { text: 'x' }]);
    const middleware = [skillsMiddleware(skillset, { tools: [chat], toolSources: [chatLocalTools({ map: { process_refund: chat } })] })];
    await createAgent({ model, middleware }).invoke({ messages: [new HumanMessage('x')] });
    expect(
      model.calls.at(-1)?.toolNames.filter((name) => name.includes('refund')),
      'S0-31',
    ).toEqual(own);
    expect(() => agentLocalTools({ folders: ['./skills'] }), 'S0-31').toThrow(/absolute path/);
  });

  it('S4-9 GOV-1: activeFor ends a skill with its run in a graph as in createAgent', async () => {
    const call = (toolName: string) => ({ toolCalls: [{ toolName, input: { name: 'billing' } }] });
    const script = () => [call('load_skill'), call('process_refund'), { text: 'x' }, call('process_refund'), { text: 'y' }];
    const thread = { configurable: { thread_id: '1' } };
    const skillset = createSkillset({ skills: [{ ...billing, tools: ['process_refund'] }] });
    const graphOf = (activeFor: 'run' | 'conversation') =>
      langGraphSkills(skillset, { tools: [chat], activeFor })
        .addTo(new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState })), { model: chatModel(script()) })
        .compile({ checkpointer: new MemorySaver() });
    const agentOf = (activeFor: 'run' | 'conversation') =>
      createAgent({
        model: chatModel(script()),
        checkpointer: new MemorySaver(),
        middleware: [skillsMiddleware(skillset, { tools: [chat], activeFor })],
      });
    for (const make of [graphOf, agentOf]) {
      for (const [activeFor, last] of [
        ['run', expect.stringContaining('locked')],
        ['conversation', 'refunded'],
      ] as const) {
        const runner = make(activeFor);
        await runner.invoke({ messages: [new HumanMessage('x')] }, thread);
        const { messages } = await runner.invoke({ messages: [new HumanMessage('y')] }, thread);
        const answers = messages.flatMap((message) => (message.type === 'tool' ? [message.text] : []));
        expect(answers.slice(1), 'S4-9').toEqual(['refunded', last]);
      }
    }
  });
});

describe('a skill that is registered during a run', () => {
  const registry = () => {
    const skills = new SkillRegistry({ skills: [{ name: 'first', description: 'One.', body: '1' }] });
    const add = async () => {
      skills.register({ name: 'second', description: 'Two.', body: 'TWO' });
      return 'added';
    };
    return { add, skillset: createSkillset({ provider: skills, surface: { tools: 'full' } }) };
  };
  const script = () => [
    { toolCalls: [{ toolName: 'add', input: {} }] },
    { toolCalls: [{ toolName: 'list_skills', input: {} }] },
    { toolCalls: [{ toolName: 'load_skill', input: { name: 'second' } }] },
    { text: 'x' },
  ];

  it('S0-5 DIS-7: is listed and loaded in the same run of an agent and of a graph', async () => {
    const { add, skillset } = registry();
    const adder = chatTool(add, { name: 'add', description: 'Adds.', schema: z.object({}) });
    const agent = createAgent({ model: chatModel(script()), tools: [adder], middleware: [skillsMiddleware(skillset)] });
    const other = registry();
    const tools = [chatTool(other.add, { name: 'add', description: 'Adds.', schema: z.object({}) })];
    const graph = langGraphSkills(other.skillset, { tools })
      .addTo(new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState })), { model: chatModel(script()) })
      .compile();
    for (const { messages } of [
      await agent.invoke({ messages: [new HumanMessage('x')] }),
      await graph.invoke({ messages: [new HumanMessage('x')] }),
    ]) {
      const [, listed, loaded] = messages.flatMap((message) => (message.type === 'tool' ? [message.text] : []));
      expect(listed, 'S0-5').toContain('second');
      expect(loaded, 'S0-5').toContain('TWO');
    }
  });

  it('S0-5 DIS-7: is there from the next request on in the AI SDK', async () => {
    const { add, skillset } = registry();
    const tools = { add: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: add }) };
    const ask = async () => {
      const skills = await aiSdkSkills(skillset);
      const asked = { model: scriptedModel(script().slice(1)), prompt: 'x', stopWhen: isStepCount(5), ...skills.agentSettings() };
      return JSON.stringify((await generateText(asked)).responseMessages);
    };
    const skills = await aiSdkSkills(skillset);
    const first = await generateText({
      model: scriptedModel(script()),
      prompt: 'x',
      stopWhen: isStepCount(5),
      ...skills.agentSettings({ tools }),
    });
    expect(JSON.stringify(first.responseMessages), 'S0-5').not.toContain('Two.');
    expect(await ask(), 'S0-5').toContain('TWO');
  });
});

describe('cards and roots', () => {
  it('S0-12 SRC-1: a card beside a SKILL.md is told by name, and withSkillCards reads it and advises no renaming', async () => {
    const plain = fileSystemSkillProvider({ roots: [await skillFolders(weatherFiles)] });
    const { diagnostics } = await plain.listSkills();
    expect(
      diagnostics.find(({ code }) => code === 'card-not-read'),
      'S0-12',
    ).toMatchObject({
      message: expect.stringContaining('weather/skill-card.json') as string,
      fix: expect.stringContaining('withSkillCards(fileSystemSkillProvider') as string,
    });
    const { skills, diagnostics: left } = await (await weatherProvider()).listSkills();
    expect(skills, 'S0-12').toMatchObject([{ name: 'weather', version: '1.0.0', tools: ['get_weather'] }]);
    expect(
      left.map(({ code }) => code),
      'S0-12',
    ).toEqual([]);
    const { diagnostics: alone } = await withSkillCards(
      fileSystemSkillProvider({ roots: [await skillFolders({ 'Odd Name/SKILL.md': '---\ndescription: Odd.\n---\nx' })] }),
    ).listSkills();
    expect(
      alone.map(({ code }) => code).filter((code) => code.startsWith('name-')),
      'S0-12',
    ).not.toEqual([]);
  });

  it('S3-15 SRC-1: the last root wins where the host says so, but never over one that is trusted', async () => {
    const skill = (description: string) => ({ 'dup/SKILL.md': `---\nname: dup\ndescription: ${description}\n---\nx` });
    const [one, two] = [await skillFolders(skill('First.')), await skillFolders(skill('Second.'))];
    const found = async (options: object, second: object = {}) => {
      const { skills, diagnostics } = await fileSystemSkillProvider({ roots: [one, { path: two, ...second }], ...options }).listSkills();
      return [skills.map(({ description }) => description).join(), diagnostics.map(({ code }) => code).join()];
    };
    expect(await found({}), 'S3-15').toEqual(['First.', 'skill-shadowed']);
    expect(await found({ onCollision: 'last' }), 'S3-15').toEqual(['Second.', 'skill-shadowed']);
    expect(await found({ onCollision: 'last' }, { trusted: false, label: 'theirs' }), 'S3-15').toEqual(['First.', 'skill-shadowed']);
  });

  it('CON-5: a list of definitions with a name that the standard does not have is refused at once', () => {
    for (const [name, description] of [
      ['Bad Name', 'd'],
      ['ok', 'x'.repeat(1025)],
      ['ok', ' '],
    ] as const)
      expect(() => createSkillset({ skills: [{ name, description, body: 'b' }] })).toThrow(
        expect.objectContaining({ code: 'invalid-skill' }) as Error,
      );
    const bundled = { name: 'Bad Name', description: 'd', body: 'b', skillMd: '---\nname: Bad Name\ndescription: d\n---\nb' };
    expect(() => createSkillset({ skills: [bundled] })).not.toThrow();
  });
});
