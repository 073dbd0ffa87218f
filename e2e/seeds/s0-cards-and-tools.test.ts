import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { createSkillTools, langGraphSkills, localTools, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { aiSdkSkills, localTools as aiSdkLocalTools } from '@repertoire/adapter-vercel-ai';
import { httpSkillProvider } from '@repertoire/skill-http';
import { cardOfSkill, parseSkillCard, serializeSkillCard, validateSkillCard } from '@repertoire/skill-cards';
import { createSkillset, defineSkill, emptySkillState, SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
import { resolveVersion } from '@repertoire/skills-core/versions';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { jsonSchema, tool as aiTool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { converse } from './converse.ts';
import { serveFiles, weatherCard, weatherFiles, weatherProvider, weatherSkillMd } from './weather-skill.ts';

const getWeather = tool(async ({ city }) => `Sunny in ${city}`, {
  name: 'get_weather',
  description: 'Current weather.',
  schema: z.object({ city: z.string() }),
});

const weatherOptions = async () => ({ provider: await weatherProvider(), surface: { tools: 'full', names: 'cards' } }) as const;

const State = new StateSchema({
  messages: MessagesValue,
  selected: z.array(z.object({ id: z.string(), version: z.string().optional() })).default([]),
  ...skillsState,
});

/** A graph that discovers, loads and acts, and can be told which skills to begin with. */
async function weatherGraph(model: ReturnType<typeof scriptedModel>) {
  const skillset = createSkillset(await weatherOptions());
  const skills = langGraphSkills(skillset, { gate: 'hide', toolSources: [localTools({ map: { 'my_tools.get_weather': getWeather } })] });
  return new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode(
      'load_skills',
      skills.loadSkillsNode((state: typeof State.State) => state.selected),
    )
    .addNode('model', async (state, config) => {
      const bound = await skills.bindLoadedTools(model, state, { config });
      const system = await skills.instructions(state, 'You are an assistant.', config);
      return { messages: [await bound.invoke([{ role: 'system', content: system }, ...(await skills.messages(state, config))])] };
    })
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'load_skills')
    .addEdge('load_skills', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
}

const thread = { configurable: { thread_id: 'weather' } };
const calls = (...toolCalls: readonly (readonly [string, unknown])[]) => ({
  toolCalls: toolCalls.map(([toolName, input]) => ({ toolName, input })),
});
const resultsOf = (messages: readonly unknown[]) => messages.flatMap((message) => (ToolMessage.isInstance(message) ? [message.text] : []));

describe('a life of a skill', () => {
  it('S0-1 S0-2 S0-21 S0-23 S0-26 S0-31 S0-47 ADP-2 SRC-8: is found in the prompt, loaded, used, unloaded and loaded again', async () => {
    const model = scriptedModel([
      calls(['load_skill_md', { skill_id: 'weather', version: '1.0.0' }]),
      calls(['get_weather', { city: 'Graz' }]),
      calls(['unload_skill', { skill_id: 'weather' }]),
      { text: 'Sunny.' },
      calls(['load_skill_md', { skill_id: 'weather' }]),
      { text: 'Ready.' },
    ]);
    const graph = await weatherGraph(model);
    const first = await graph.invoke({ messages: [new HumanMessage('Weather in Graz?')] }, thread);
    expect(model.calls[0]?.messages[0]?.text, 'S0-2').toContain(
      '<skill name="weather">Get current weather conditions for any city worldwide.</skill>',
    );
    expect(
      model.calls.map(({ toolNames }) => toolNames.includes('get_weather')),
      'S0-21',
    ).toEqual([false, true, true, false]);
    const [loaded, used, unloaded] = resultsOf(first.messages);
    expect(loaded, 'S0-1').toContain('Use the `get_weather` tool to retrieve current weather for a given city.');
    expect(used, 'S0-31').toBe('Sunny in Graz');
    expect(unloaded).toContain('no longer active');
    expect(first.loaded_skills['weather'] ?? null, 'S0-26').toBeNull();
    expect(first.loaded_tools['weather'] ?? null).toBeNull();

    // The state comes from the checkpointer.
    const second = await graph.invoke({ messages: [new HumanMessage('And in Linz?')] }, thread);
    expect(
      model.calls.map(({ toolNames }) => toolNames.includes('get_weather')),
      'S0-23',
    ).toEqual([false, true, true, false, false, true]);
    expect(second.loaded_skills['weather'], 'S0-47').toMatchObject({ version: '1.0.0' });
    expect(second.loaded_tools).toMatchObject({ weather: ['get_weather'] });
  });

  it('S0-5 DIS-7: a conversation sees the skills of its start; one that is opened later sees what was registered since', async () => {
    const registry = new SkillRegistry({ skills: [skill('weather')] });
    const before = await converse({ provider: registry, surface: { tools: 'full' } });
    registry.register(skill('maps'));
    const after = await converse({ provider: registry, surface: { tools: 'full' } });
    expect((await before.call('list_skills')).text).not.toContain('maps');
    expect((await after.call('list_skills')).text).toContain('maps');
  });
});

describe('the seven tools', () => {
  it('S0-25 DIS-7: are there by their names', async () => {
    const { toolNames } = await converse(await weatherOptions());
    expect(toolNames).toEqual([
      'list_skills',
      'load_skill_md',
      'unload_skill',
      'list_skill_resources',
      'load_skill_resource',
      'list_skill_assets',
      'load_skill_asset',
    ]);
  });

  it('S0-4 DIS-7: list_skills tells id, version, name for people and description', async () => {
    const { call } = await converse(await weatherOptions());
    expect((await call('list_skills')).text).toContain(
      '<skill name="weather" version="1.0.0" title="Weather Lookup">Get current weather conditions for any city worldwide.</skill>',
    );
  });

  it('S0-17 DIS-3: load_skill_md answers with the body', async () => {
    const { call, session } = await converse(await weatherOptions());
    const { text, events } = await call('load_skill_md', { skill_id: 'weather' });
    expect(text).toContain('# Weather Lookup Skill');
    expect(events).toMatchObject([{ type: 'loaded', name: 'weather', version: '1.0.0' }]);
    expect(session.catalog.listed[0]?.tools).toEqual(['get_weather']);
  });

  it('S0-18 CON-8: takes a version, the newest, or a range', async () => {
    const registry = new SkillRegistry({ skills: [skill('weather', '1.0.0'), skill('weather', '1.4.0'), skill('weather', '2.0.0')] });
    const versionOf = async (version?: string) => {
      const { call } = await converse({ provider: registry, resolveVersion });
      const [event] = (await call('load_skill', { skill_id: 'weather', version })).events;
      return event?.type === 'loaded' ? event.version : undefined;
    };
    expect(await Promise.all([versionOf('1.0.0'), versionOf('*'), versionOf('^1.0.0'), versionOf(), versionOf('9')])).toEqual([
      '1.0.0',
      '2.0.0',
      '1.4.0',
      '2.0.0',
      undefined,
    ]);
  });

  it('S0-19 S0-24 DIS-7 DIS-4: know skill_id, resource_path, asset_path and version', async () => {
    const { call } = await converse(await weatherOptions());
    const id = { skill_id: 'weather', version: '1.0.0' };
    await call('load_skill_md', id);
    expect((await call('list_skill_resources', id)).text, 'S0-24').toContain('references/open-meteo-api.md');
    expect((await call('load_skill_resource', { ...id, resource_path: 'references/open-meteo-api.md' })).text, 'S0-19').toContain(
      'GET /v1/forecast',
    );
    expect((await call('list_skill_assets', id)).text).toContain('assets/weather-codes.md');
    expect((await call('load_skill_asset', { ...id, asset_path: 'assets/weather-codes.md' })).text).toContain('0 Clear sky');
    expect((await call('unload_skill', id)).events).toEqual([{ type: 'unloaded', name: 'weather' }]);
  });

  it('S0-19 S0-29 ADP-3: and so does LangChain, for any model', async () => {
    const box = { current: emptySkillState };
    const tools = createSkillTools({ skillRegistry: await weatherProvider(), surface: { names: 'cards' }, state: box });
    const model = scriptedModel([{ text: 'Hello.' }]);
    await model.bindTools(tools).invoke('Hi');
    expect(model.calls[0]?.toolNames, 'S0-29').toEqual(tools.map(({ name }) => name));
    const call = async (name: string, args: Record<string, unknown>) => String(await tools.find((one) => one.name === name)?.invoke(args));
    expect(await call('load_skill_md', { skill_id: 'weather', version: '1.0.0' }), 'S0-19').toContain('# Weather Lookup Skill');
    expect(await call('load_skill_asset', { skill_id: 'weather', asset_path: 'assets/weather-codes.md', version: '1.0.0' })).toContain(
      'Clear sky',
    );
  });

  it('S0-22 DIS-6: unload_skill is offered for a skill that only brings servers or tools of its own', async () => {
    const { toolNames } = await converse({ provider: await weatherProvider() });
    expect(toolNames).toEqual(['load_skill', 'read_skill_file', 'unload_skill']);
  });

  it('S0-27 S0-28 S0-29 ADP-3: a shared registry of tools serves the skills, and hooks see what happens', async () => {
    const events: string[] = [];
    const refund = tool(async () => 'Refunded.', { name: 'process_refund', description: 'Refunds.', schema: z.object({}) });
    const tools = createSkillTools({
      skillRegistry: new SkillRegistry({ skills: [{ ...skill('billing'), tools: ['process_refund'] }, skill('secret')] }),
      toolRegistry: new Map([['process_refund', refund]]),
      state: { current: emptySkillState },
      hooks: { onEvent: ({ type }) => events.push(type), audience: { permissions: ({ skill: { name } }) => name !== 'secret' } },
    });
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      String(await tools.find((one) => one.name === name)?.invoke(args));
    expect(await call('list_skills'), 'S0-28').not.toContain('secret');
    expect(await call('process_refund')).toContain('locked');
    expect(await call('load_skill', { name: 'billing' })).toContain('Do it.');
    expect(await call('process_refund'), 'S0-29').toBe('Refunded.');
    expect(await call('unload_skill', { name: 'billing' })).toContain('no longer active');
    expect(await call('process_refund'), 'S0-27').toContain('locked');
    expect(events).toEqual(expect.arrayContaining(['skill_loaded', 'skill_unloaded']));
  });
});

describe('nodes of a graph', () => {
  it('S0-32 S0-33 S0-34 S0-35 ADP-2: a node loads what is selected, as pairs of messages, and the model may load more', async () => {
    const model = scriptedModel([
      calls(['get_weather', { city: 'Wien' }]),
      calls(['unload_skill', { skill_id: 'weather' }]),
      { text: 'Done.' },
    ]);
    const graph = await weatherGraph(model);
    const { messages } = await graph.invoke(
      { messages: [new HumanMessage('Plan.')], selected: [{ id: 'weather', version: '1.0.0' }, { id: 'unknown' }] },
      { configurable: { thread_id: 'selected' } },
    );
    expect(
      messages.slice(0, 5).map(({ type }) => type),
      'S0-33',
    ).toEqual(['human', 'ai', 'tool', 'ai', 'tool']);
    const [pair] = messages.filter((message) => AIMessage.isInstance(message));
    expect(pair?.tool_calls, 'S0-32').toMatchObject([{ name: 'load_skill_md', args: { name: 'weather', version: '1.0.0' } }]);
    const [loaded, unknown, used] = resultsOf(messages);
    expect(loaded).toContain('# Weather Lookup Skill');
    expect(unknown, 'S0-35').toContain('unknown');
    expect(used).toBe('Sunny in Wien');
    expect(model.calls[0]?.toolNames, 'S0-34').toContain('get_weather');
  });

  it('S0-36 S0-37 GOV-1: with gate "hide", tools of skills are bound only while their skill is loaded', async () => {
    const model = scriptedModel([calls(['load_skill_md', { skill_id: 'weather' }]), { text: 'Done.' }]);
    await (await weatherGraph(model)).invoke({ messages: [new HumanMessage('Hi')] }, { configurable: { thread_id: 'bound' } });
    const skillTools = [
      'list_skills',
      'load_skill_md',
      'unload_skill',
      'list_skill_resources',
      'load_skill_resource',
      'list_skill_assets',
      'load_skill_asset',
    ];
    expect(
      model.calls.map(({ toolNames }) => toolNames),
      'S0-36 S0-37',
    ).toEqual([skillTools, [...skillTools, 'get_weather']]);
  });
});

describe('cards', () => {
  it('S0-6 S0-7 S0-9 S0-10 FMT-4: the card is read whole', () => {
    const { card, diagnostics } = parseSkillCard(JSON.stringify(weatherCard));
    expect(card, 'S0-6 S0-7 S0-9 S0-10').toMatchObject({
      id: 'weather',
      version: '1.0.0',
      name: 'Weather Lookup',
      description: 'Get current weather conditions for any city worldwide.',
      baseUri: '.',
      files: ['SKILL.md', 'references/open-meteo-api.md', 'assets/weather-codes.md'],
      localTools: { get_weather: { id: 'get_weather', version: '1.0.0', importPath: 'my_tools.get_weather' } },
      extensions: [{ uri: 'urn:skill:tools:local', required: false }],
    });
    expect(diagnostics).toEqual([]);
  });

  it('S0-8 FMT-4: MCP servers of a card, with the three transports', () => {
    const server = { id: 'my-mcp-server', version: '1.0.0', url: 'https://mcp.example.com' };
    const mcps = {
      'my-mcp-server': { ...server, transport: 'streamable-http' },
      old: { ...server, transport: 'sse' },
      here: { id: 'here', command: 'serve', transport: 'stdio' },
    };
    const { card } = parseSkillCard({ ...weatherCard, mcps });
    expect(Object.entries(card?.mcps ?? {}).map(([key, { transport }]) => [key, transport])).toEqual([
      ['my-mcp-server', 'streamable-http'],
      ['old', 'sse'],
      ['here', 'stdio'],
    ]);
    expect(card?.mcps['my-mcp-server']).toMatchObject({ url: 'https://mcp.example.com', version: '1.0.0' });
  });

  it('S0-12 S0-14 FMT-4: the card of a skill on disk gives id, version, name for people and tools', async () => {
    const { skills, diagnostics } = await (await weatherProvider()).listSkills();
    expect(skills, 'S0-12 S0-14').toMatchObject([
      {
        name: 'weather',
        version: '1.0.0',
        metadata: { title: 'Weather Lookup' },
        license: 'MIT',
        tools: ['get_weather'],
        origin: { kind: 'fs', trusted: true },
      },
    ]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const provider = await weatherProvider();
    const got = await provider.getSkill('weather', { version: '1.0.0' });
    expect(got).toMatchObject({ name: 'weather', body: expect.stringContaining('# Weather Lookup Skill') });
    expect(got?.resources.map(({ path }) => path)).toEqual(['assets/weather-codes.md', 'references/open-meteo-api.md', 'skill-card.json']);
    expect(cardToolsOf(got ?? { name: '' }).localTools).toMatchObject({ get_weather: { importPath: 'my_tools.get_weather' } });
    expect(new TextDecoder().decode((await provider.readResource('weather', 'SKILL.md'))?.bytes)).toBe(weatherSkillMd);
  });

  it('S0-13 S0-15 SRC-4: over HTTP, files come from base_uri; the SKILL.md has to have the id of its card as its name', async () => {
    const provider = (skillMd: string) =>
      httpSkillProvider({
        url: 'https://skills.example.com/weather',
        layout: 'card',
        fetch: serveFiles({ ...weatherFiles, 'weather/SKILL.md': skillMd }),
      });
    const mended = provider(weatherSkillMd.replace('name: Weather Lookup', 'name: weather'));
    expect((await mended.listSkills()).skills, 'S0-13').toMatchObject([
      { name: 'weather', version: '1.0.0', metadata: { title: 'Weather Lookup' } },
    ]);
    expect((await mended.getSkill('weather'))?.body).toContain('# Weather Lookup Skill');
    const asset = await mended.readResource('weather', 'assets/weather-codes.md');
    expect(new TextDecoder().decode(asset?.bytes), 'S0-15').toBe('0 Clear sky\n');
    expect(await provider(weatherSkillMd).getSkill('weather')).toMatchObject({ name: 'weather', metadata: { title: 'Weather Lookup' } });
    const other = provider(weatherSkillMd.replace('name: Weather Lookup', 'name: Tides'));
    await expect(other.getSkill('weather')).rejects.toThrow('It says that its name is "Tides"');
  });

  it('S0-16 SRC-4: files of another origin are refused, unless the host allows it', async () => {
    const card = { ...weatherCard, base_uri: 'https://files.example.com/weather' };
    const fetch = serveFiles({
      ...weatherFiles,
      'weather/skill-card.json': JSON.stringify(card),
      'weather/SKILL.md': '---\nname: weather\ndescription: Weather.\n---\nLook.',
    });
    const options = { url: 'https://skills.example.com/weather', layout: 'card', fetch } as const;
    await expect(httpSkillProvider(options).listSkills()).rejects.toThrow('can be used');
    const allowed = httpSkillProvider({ ...options, allowedOrigins: ['https://files.example.com'] });
    expect((await allowed.getSkill('weather'))?.body).toBe('Look.');
  });

  it('S0-45 S0-46 FMT-4: a card is written from a skill, and checked', async () => {
    const provider = await weatherProvider();
    const got = await provider.getSkill('weather');
    const written = serializeSkillCard(cardOfSkill(got!));
    expect(JSON.parse(written), 'S0-45').toMatchObject({
      id: 'weather',
      version: '1.0.0',
      name: 'Weather Lookup',
      local_tools: weatherCard['local_tools'],
    });
    const { card } = parseSkillCard(written);
    expect(
      validateSkillCard(card!).filter(({ severity }) => severity === 'error'),
      'S0-46',
    ).toEqual([]);
    expect(validateSkillCard({ ...card!, files: [] })).not.toEqual([]);
  });
});

describe('tools that a skill brings', () => {
  it('S0-30 SRC-7: each transport of a server is known to the adapters', () => {
    const servers = {
      a: { command: 'x' },
      b: { url: 'https://b.example', transport: 'sse' },
      c: { url: 'https://c.example', transport: 'http' },
    };
    const { mcps } = cardToolsOf({ name: 'many', fields: { mcps: servers } });
    expect(Object.values(mcps).map(({ transport }) => transport)).toEqual(['stdio', 'sse', 'streamable-http']);
  });

  it('S0-50 S0-9 SRC-8: in the AI SDK, what a skill brings is opened with the conversation, and refuses until it is loaded', async () => {
    const weather = aiTool({ inputSchema: jsonSchema<{ city: string }>({ type: 'object' }), execute: ({ city }) => `Sunny in ${city}` });
    const skills = await aiSdkSkills(createSkillset({ provider: await weatherProvider() }), {
      toolSources: [aiSdkLocalTools({ map: { 'my_tools.get_weather': weather } })],
      state: { current: emptySkillState },
    });
    const { tools } = skills.agentSettings();
    expect(Object.keys(tools), 'S0-9').toEqual(['load_skill', 'read_skill_file', 'unload_skill', 'get_weather']);
    const execute = (tools as Record<string, { execute(input: unknown, options: unknown): unknown }>)['get_weather']!.execute;
    const options = { toolCallId: 'one', messages: [], context: undefined };
    // What a tool of the host streams is a generator, so a refusal is met when it is read.
    const read = async () => {
      for await (const part of (await execute({ city: 'Graz' }, options)) as AsyncIterable<unknown>) expect(part).toBeUndefined();
    };
    await expect(read(), 'S0-50').rejects.toThrow('locked');
    await skills.close();
  });
});

function skill(name: string, version?: string): SkillDefinition {
  return defineSkill({ name, description: `Does ${name}. Use for ${name}.`, body: 'Do it.', ...(version !== undefined && { version }) });
}
