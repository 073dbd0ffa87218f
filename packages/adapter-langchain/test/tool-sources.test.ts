import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { createSkillset } from '@repertoire/skills-core';
import type { SkillFieldValue } from '@repertoire/skills-core/internal';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, localTools, skillsState, type SkillToolSource } from '@repertoire/adapter-langchain/langgraph';
import { mcpTools } from '@repertoire/adapter-langchain/mcp';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './collect.ts';
import { hostTools } from './billing-skills.ts';
import { cardProvider, isRunning, stdioServers } from './card-skills.ts';
import { startHttpServer } from './mcp-server.ts';
import { toolTexts, turn, unansweredCalls } from './scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'repertoire-mcp-'));
let http: Awaited<ReturnType<typeof startHttpServer>>;
beforeAll(async () => {
  http = await startHttpServer();
});
afterAll(async () => {
  await http[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const stdioServer = await stdioServers();
const stdio = (file: string) => stdioServer(join(folder, file));
const running = (file: string): boolean => isRunning(join(folder, file));
const user = { messages: [{ role: 'user' as const, content: 'Go' }] };
const opened = (source: SkillToolSource) => {
  const log: string[] = [];
  const watched: SkillToolSource = {
    open: async (skill, request) => {
      const tools = await source.open(skill, request);
      log.push(`open ${skill.name}: ${tools.map(({ name }) => name).join()}`);
      return tools;
    },
    close: async (conversation, skill) => {
      await source.close(conversation, skill);
      log.push(`close ${skill ?? 'all'}`);
    },
  };
  return { log, watched };
};

describe('mcpTools', () => {
  it.each([
    { transport: 'stdio', mcps: stdio('a.pid') },
    { transport: 'streamable-http', mcps: () => ({ weather: { transport: 'streamable-http', url: `${http.url}/mcp` } }) },
    { transport: 'sse', mcps: () => ({ weather: { transport: 'sse', url: `${http.url}/sse` } }) },
  ])('SRC-7: tools of a $transport server come with the skill and leave with it', async ({ transport, mcps }) => {
    const skillset = createSkillset({
      provider: cardProvider([{ name: 'weather', fields: { mcps: typeof mcps === 'function' ? mcps() : mcps } }]),
      surface: { unload: true },
    });
    const { search_docs, ran } = hostTools();
    let stillRunning = true;
    const model = scriptedModel((_call, index) => {
      if (index === 4) stillRunning = running('a.pid');
      return [
        turn(['forecast', { city: 'Oslo' }]),
        turn(['load_skill', { name: 'weather' }]),
        turn(['forecast', { city: 'Bergen' }], ['weather__search_docs', {}], ['search_docs', { query: 'x' }]),
        turn(['unload_skill', { name: 'weather' }]),
        turn(['forecast', { city: 'Moss' }]),
        turn('Done.'),
      ][index]!;
    });
    await using source = mcpTools({ stdio: true });
    const agent = createAgent({
      model,
      tools: [search_docs],
      middleware: [skillsMiddleware(skillset, { otherTools: ['search_docs'], toolSources: [source] })],
    });
    const { messages, loaded_tools } = await agent.invoke(user);

    const texts = toolTexts(messages);
    expect(texts[0]).toMatch(/^failed: /);
    expect(texts[1]).toContain('Instructions of weather.');
    expect(texts.slice(2, 5)).toEqual(['Bergen: rain', expect.stringMatching(/^failed: .*The index is being rebuilt\./s), 'found x']);
    expect(texts[6]).toMatch(/^failed: /);
    expect(ran).toEqual(['search x']);
    expect(unansweredCalls(messages)).toEqual([]);
    const always = ['search_docs', 'load_skill', 'read_skill_file', 'unload_skill'];
    expect(model.calls.map(({ toolNames }) => toolNames)).toEqual([
      always,
      always,
      [...always, 'forecast', 'weather__search_docs'],
      [...always, 'forecast', 'weather__search_docs'],
      always,
      always,
    ]);
    expect(loaded_tools).toEqual({ weather: null });
    if (transport === 'stdio') expect(stillRunning).toBe(false);
  });

  it('SRC-7: the connection ends with the agent, and the next run of the thread opens it again', async () => {
    const skillset = createSkillset({ provider: cardProvider([{ name: 'weather', fields: { mcps: stdio('b.pid') } }]) });
    const { log, watched } = opened(mcpTools({ stdio: true }));
    const agentOf = (...turns: ReturnType<typeof turn>[]) =>
      createAgent({ model: scriptedModel(turns), checkpointer, middleware: [skillsMiddleware(skillset, { toolSources: [watched] })] });
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: 'one' } };
    await agentOf(turn(['load_skill', { name: 'weather' }]), turn('Loaded.')).invoke(user, thread);
    expect(running('b.pid')).toBe(false);
    const { messages } = await agentOf(turn(['forecast', { city: 'Oslo' }]), turn('Done.')).invoke(user, thread);
    expect(toolTexts(messages).at(-1)).toBe('Oslo: rain');
    expect(running('b.pid')).toBe(false);
    expect(log[0]).toBe('open weather: forecast,search_docs');
    expect(log.filter((line) => line === 'close all')).toHaveLength(2);
  });

  it.each([
    { kind: 'stdio', mcps: { gone: { transport: 'stdio', command: join(folder, 'no-such-program') } } },
    { kind: 'http', mcps: { gone: { transport: 'streamable-http', url: 'http://127.0.0.1:9/mcp' } } },
  ])('SRC-7: a $kind server that is down is an error that the model reads, and the agent goes on', async ({ mcps }) => {
    const skillset = createSkillset({ provider: cardProvider([{ name: 'broken', fields: { mcps } }]) });
    const model = scriptedModel([turn(['load_skill', { name: 'broken' }]), turn('I cannot.')]);
    const result = await createAgent({
      model,
      middleware: [skillsMiddleware(skillset, { toolSources: [mcpTools({ stdio: true })] })],
    }).invoke(user);
    expect(toolTexts(result.messages)).toEqual([
      expect.stringMatching(
        /^failed: Error \(source-unavailable\): The skill "broken" needs the MCP server "gone", which cannot be reached/,
      ),
    ]);
    expect([result.loaded_skills, result.messages.at(-1)?.text]).toEqual([{}, 'I cannot.']);
  });

  it('SRC-7: two skills loaded at once may bring tools of the same name', async () => {
    const mcps = (key: string) => ({ mcps: { [key]: { transport: 'streamable-http', url: `${http.url}/mcp` } } });
    const skillset = createSkillset({
      provider: cardProvider([
        { name: 'one', fields: mcps('first') },
        { name: 'two', fields: mcps('second') },
      ]),
    });
    const model = scriptedModel([turn(['load_skill', { name: 'one' }], ['load_skill', { name: 'two' }]), turn('Done.')]);
    const { loaded_tools } = await createAgent({
      model,
      middleware: [skillsMiddleware(skillset, { toolSources: [mcpTools()] })],
    }).invoke(user);
    const names = Object.values(loaded_tools).flatMap((tools) => tools ?? []);
    expect(new Set(names).size).toBe(4);
    expect(model.calls[1]!.toolNames.slice(-4).toSorted()).toEqual(names.toSorted());
  });

  it('SRC-7 ADP-5: with gate "hide", tools of skills and opened ones follow each other in the order of loading', async () => {
    const weather = { name: 'weather', fields: { mcps: { weather: { transport: 'streamable-http', url: `${http.url}/mcp` } } } };
    const listing = await cardProvider([weather, { name: 'orders', fields: {} }]).listSkills();
    const named = listing.skills.map((skill) => (skill.name === 'orders' ? { ...skill, tools: ['lookup_order'] } : skill));
    const source = cardProvider([weather, { name: 'orders', fields: {} }]);
    const skillset = createSkillset({
      gates: { tools: ['lookup_order'] },
      provider: {
        ...source,
        listSkills: async () => ({ ...listing, skills: named }),
        getSkill: async (name) => {
          const skill = await source.getSkill(name);
          return skill === null ? null : { ...skill, ...named.find((each) => each.name === name) };
        },
      },
    });
    const model = scriptedModel([turn(['load_skill', { name: 'weather' }]), turn(['load_skill', { name: 'orders' }]), turn('Done.')]);
    const { lookup_order } = hostTools();
    await createAgent({
      model,
      middleware: [skillsMiddleware(skillset, { tools: [lookup_order], gate: 'hide', toolSources: [mcpTools()] })],
    }).invoke(user);
    const [before, , after] = model.calls.map(({ toolNames }) => toolNames);
    expect(after).toEqual([...before!, 'forecast', 'search_docs', 'lookup_order']);
  });

  it('SRC-7: a server that is gone in the next run is told in the stream, and to the model that calls its tool', async () => {
    const server = await startHttpServer();
    const skillset = createSkillset({
      provider: cardProvider([
        { name: 'weather', fields: { mcps: { weather: { transport: 'streamable-http', url: `${server.url}/mcp` } } } },
      ]),
    });
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: 'one' } };
    const agentOf = (...turns: ReturnType<typeof turn>[]) =>
      createAgent({
        model: scriptedModel(turns),
        checkpointer,
        middleware: [skillsMiddleware(skillset, { toolSources: [mcpTools()] })],
      });
    await agentOf(turn(['load_skill', { name: 'weather' }]), turn('Loaded.')).invoke(user, thread);
    await server[Symbol.asyncDispose]();
    const agent = agentOf(turn(['forecast', { city: 'Oslo' }]), turn('I cannot.'));
    const told = await collect(await agent.stream(user, { ...thread, streamMode: 'custom' }));
    expect(told[0]).toMatchObject({ type: 'skill_failed', skill: 'weather', code: 'source-unavailable' });
    const { messages } = (await agent.graph.getState(thread)).values as { messages: BaseMessage[] };
    expect(toolTexts(messages).at(-1)).toMatch(
      /^failed: Error \(source-unavailable\): The skill "weather" needs the MCP server "weather", which cannot be reached/,
    );
  });

  it('GOV-6 SRC-7: an untrusted skill brings nothing, and the host may refuse a server of a trusted one (ATK-112)', async () => {
    const before = http.requests();
    const fields = { mcps: { weather: { transport: 'streamable-http', url: `${http.url}/mcp` } } };
    const skillset = createSkillset({
      provider: cardProvider([
        { name: 'mine', fields },
        { name: 'theirs', fields, trusted: false },
      ]),
    });
    const model = scriptedModel([turn(['load_skill', { name: 'theirs' }], ['load_skill', { name: 'mine' }]), turn('Done.')]);
    const source = mcpTools({ allow: (_server, skill) => skill.name !== 'mine' });
    const { loaded_tools } = await createAgent({ model, middleware: [skillsMiddleware(skillset, { toolSources: [source] })] }).invoke(user);
    expect(loaded_tools).toEqual({ theirs: [], mine: [] });
    expect(http.requests()).toBe(before);
  });

  it('GOV-11 SRC-7: a server that is a program of this machine is not started, unless the host says so (ATK-15)', async () => {
    const skillset = createSkillset({ provider: cardProvider([{ name: 'weather', fields: { mcps: stdio('never.pid') } }]) });
    const model = scriptedModel([turn(['load_skill', { name: 'weather' }]), turn('Done.')]);
    const codes: string[] = [];
    await using source = mcpTools();
    const middleware = skillsMiddleware(skillset, { toolSources: [source], onDiagnostic: ({ code }) => codes.push(code) });
    const { loaded_tools } = await createAgent({ model, middleware: [middleware] }).invoke(user);
    expect(loaded_tools).toEqual({ weather: [] });
    expect(existsSync(join(folder, 'never.pid'))).toBe(false);
    expect(codes).toEqual(['skill-tools']);
  });

  it('SRC-7 ADP-2: a graph of one’s own has them too, and closes them', async () => {
    const skillset = createSkillset({ provider: cardProvider([{ name: 'weather', fields: { mcps: stdio('c.pid') } }]) });
    await using source = mcpTools({ stdio: true });
    const skills = langGraphSkills(skillset, { toolSources: [source] });
    const model = scriptedModel([turn(['forecast', { city: 'Oslo' }]), turn('Done.'), turn('Nothing to be done.')]);
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
      .addNode(
        'load',
        skills.loadSkillsNode(() => ['weather']),
      )
      .addNode('model', async (state, config) => ({
        messages: [await (await skills.bindLoadedTools(model, state, { config })).invoke([...state.messages])],
      }))
      .addNode('tools', skills.toolNode())
      .addNode('end', async (state, config) => {
        await skills.close(state, config);
        return {};
      })
      .addEdge(START, 'load')
      .addEdge('load', 'model')
      .addConditionalEdges('model', (state: { messages: BaseMessage[] }) => (toolsCondition(state) === END ? 'end' : 'tools'), [
        'tools',
        'end',
      ])
      .addEdge('tools', 'model')
      .addEdge('end', END)
      .compile();
    const { messages } = await graph.invoke({ messages: [new HumanMessage('Go')] }, { configurable: { thread_id: 'graph' } });
    expect(toolTexts(messages).at(-1)).toBe('Oslo: rain');
    expect(model.calls[0]!.toolNames).toContain('forecast');
    expect(running('c.pid')).toBe(false);
    expect(toolTexts((await graph.invoke({ messages: [new HumanMessage('Go')] })).messages)[0]).toMatch(
      /^failed: Error \(invalid-options\): .*thread_id/,
    );
  });
});

describe('localTools', () => {
  const root = pathToFileURL(join(import.meta.dirname, 'local-tools', '/')).href;
  const load = async (fields: Record<string, SkillFieldValue>, options: Parameters<typeof localTools>[0], trusted = true) => {
    const skillset = createSkillset({ provider: cardProvider([{ name: 'greeter', fields, trusted, uri: root }]) });
    const model = scriptedModel([turn(['load_skill', { name: 'greeter' }]), turn(['greet', { name: 'Ada' }]), turn('Done.')]);
    const reported: string[] = [];
    const middleware = skillsMiddleware(skillset, {
      toolSources: [localTools(options)],
      onDiagnostic: ({ message }) => reported.push(message),
    });
    const { messages } = await createAgent({ model, middleware: [middleware] }).invoke(user);
    return { texts: toolTexts(messages), reported };
  };
  const greet = (importPath: string) => ({ local_tools: { greet: { import_path: importPath } } });
  const importModule = (url: string) => import(url) as Promise<Record<string, unknown>>;

  it('SRC-8: a tool is imported from a folder that the host trusts, and arrives with its skill under the name that the skill gives it', async () => {
    const { texts, reported } = await load(greet('./greet-tool.ts#sayHello'), { folders: [root], importModule });
    expect([texts.at(-1), reported]).toEqual(['Hello Ada', []]);
  });

  it('SRC-8: or comes from a map, by its import path or its name', async () => {
    const { sayHello } = await import('./local-tools/greet-tool.ts');
    for (const name of ['my_tools.greet', 'greet']) {
      expect((await load(greet('my_tools.greet'), { map: { [name]: sayHello } })).texts.at(-1)).toBe('Hello Ada');
    }
  });

  it.each([
    { what: 'another folder', path: './greet-tool.ts#sayHello', options: { folders: [new URL('../elsewhere/', root).href], importModule } },
    { what: 'a path out of the skill', path: '../scripts.ts#turn', options: { folders: [root], importModule } },
    { what: 'no importer', path: './greet-tool.ts#sayHello', options: { folders: [root] } },
    { what: 'what is no tool', path: './greet-tool.ts#sayHello', options: { map: { greet: 'a text' } } },
  ])('SRC-8: $what: it is reported, and the skill is loaded without the tool', async ({ path, options }) => {
    const { texts, reported } = await load(greet(path), options);
    expect(texts[0]).toContain('Instructions of greeter.');
    expect(texts[1]).toMatch(/^failed: /);
    expect(reported[0]).toContain('The local tool "greet"');
  });

  it('GOV-6 SRC-8: an untrusted skill brings no tool of the host’s code', async () => {
    const { texts } = await load(greet('./greet-tool.ts#sayHello'), { folders: [root], importModule }, false);
    expect(texts[0]).toContain('Instructions of greeter.');
    expect(texts[1]).toMatch(/^failed: /);
  });
});
