import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { createSkillTools, localTools } from '@repertoire/adapter-langchain/langgraph';
import { mcpTools } from '@repertoire/adapter-langchain/mcp';
import { runAgent, type RunAgentOptions } from '@repertoire/declarative';
import { checkAgentFile, runAgentFile } from '@repertoire/declarative/node';
import { httpSkillProvider } from '@repertoire/skill-http';
import {
  cardOfSkill,
  metadataOfCard,
  parseSkillCard,
  resolveCardBase,
  resolveCardFile,
  serializeSkillCard,
  validateSkillCard,
} from '@repertoire/skill-cards';
import { skillCardProvider } from '@repertoire/skill-cards/provider';
import { emptySkillState, SkillRegistry, type SkillState } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedTurn } from '@repertoire/skills-testkit/langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../packages/adapter-langchain/test/mcp-server.ts';
import { serve, type Served } from '../parity/sources/serve.ts';
import { seedFolder, skillCard, skillMd, weatherTool } from './s0-input.ts';

const call = (toolName: string, input: unknown = {}): ScriptedTurn => ({ toolCalls: [{ toolName, input }] });
const say = (text: string): ScriptedTurn => ({ text });
const toolTexts = (messages: readonly BaseMessage[]): string[] =>
  messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
const cardWith = (fields: object): string => JSON.stringify({ ...(JSON.parse(skillCard) as object), ...fields });

/** An agent that may load, read and unload. */
const agent = `skills: [{ id: weather, skill_card_path: skill-card.json }]
llms: [{ id: my-llm }]
nodes:
  - name: ask
    type: call_llm
    args:
      prompt: '"Go."'
      tools: [{ id: load_skill_md }, { id: unload_skill }, { id: load_skill_resource }]
      use_tools_from_loaded_skills: true
`;

describe('the card', () => {
  it('S0-6 S0-7 S0-8 S0-9 S0-10 S0-45 FMT-4: reads as it is written, and is written as it was read', () => {
    const { card, diagnostics } = parseSkillCard(skillCard);
    expect(diagnostics).toEqual([]);
    expect(card, 'S0-6 S0-7 S0-8 S0-9 S0-10').toMatchObject({
      id: 'weather',
      version: '1.0.0',
      name: 'Weather Lookup',
      files: ['SKILL.md', 'references/open-meteo-api.md', 'assets/weather-codes.md'],
      mcps: {},
      localTools: { get_weather: { id: 'get_weather', version: '1.0.0', importPath: 'my_tools.get_weather' } },
      extensions: [{ uri: 'urn:skill:tools:local', description: 'Python tool references loaded via import_path', required: false }],
    });
    expect(parseSkillCard(serializeSkillCard(card!)).card, 'S0-45').toEqual(card);
  });

  it('S0-46 FMT-4: the check for authors names what only a map can supply', () => {
    const found = validateSkillCard(parseSkillCard(skillCard).card!);
    expect(found.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['warning card-local-tool']);
  });

  it.each([
    ['.', 'file:///skills/weather/skill-card.json', 'file:///skills/weather/references/api.md'],
    ['./skills/weather', 'file:///srv/skill-card.json', 'file:///srv/skills/weather/references/api.md'],
    ['https://skills.example.com/weather', 'file:///srv/skill-card.json', 'https://skills.example.com/weather/references/api.md'],
  ])('FMT-4: base_uri %s leads to %s', (baseUri, url, file) => {
    expect(resolveCardFile(resolveCardBase({ baseUri }, url), 'references/api.md')).toBe(file);
  });

  it('S0-45 FMT-4: a card is written from a skill', async () => {
    const registry = new SkillRegistry();
    registry.register({ name: 'haiku', version: '1.0.0', description: 'Writes haiku.', body: 'Five.', tools: ['count'] });
    const written = parseSkillCard(serializeSkillCard(cardOfSkill((await registry.getSkill('haiku'))!)));
    expect(metadataOfCard(written.card!)).toMatchObject({
      name: 'haiku',
      version: '1.0.0',
      description: 'Writes haiku.',
      tools: ['count'],
    });
  });
});

describe('files over HTTP', () => {
  const asked: string[] = [];
  let site: Served;
  let folder: Awaited<ReturnType<typeof seedFolder>>;
  beforeAll(async () => {
    folder = await seedFolder();
    site = await serve((request, response) => {
      asked.push(request.url ?? '');
      const text = new Map([
        ['/weather/skill-card.json', skillCard],
        ['/weather/SKILL.md', skillMd],
        ['/weather/references/open-meteo-api.md', '# The API'],
      ]).get(request.url ?? '');
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
  });
  afterAll(() => Promise.all([site.close(), folder.remove()]));

  it('S0-15 DEC-1: a card on the disk whose files are remote: GET of base_uri + "/" + path, where the host reads them', async () => {
    await folder.write('remote/skill-card.json', cardWith({ base_uri: `${site.url}/weather` }));
    await folder.write('remote/agent.yaml', agent);
    const file = join(folder.path, 'remote/agent.yaml');
    const model = scriptedModel([
      call('load_skill_md', { skill_id: 'weather' }),
      call('load_skill_resource', { skill_id: 'weather', resource_path: 'references/open-meteo-api.md' }),
      say('Done.'),
    ]);
    const given = { models: { 'my-llm': model }, input: 'Hi' };
    await expect(runAgentFile(file, given)).rejects.toThrow(`allowedOrigins: ["${site.url}"]`);
    expect(asked).toEqual([]);
    const { messages } = await runAgentFile(file, { ...given, allowedOrigins: [site.url] });
    expect(toolTexts(messages)).toEqual([expect.stringContaining('# Weather Lookup Skill'), expect.stringContaining('# The API')]);
    expect(new Set(asked)).toEqual(new Set(['/weather/SKILL.md', '/weather/references/open-meteo-api.md']));
  });

  it('S0-11 DEC-1: base_uri of a card on the disk: relative, ../, absolute, file:, where the host allows the folder', async () => {
    const bases = {
      relative: './files',
      above: '../../skills/weather',
      absolute: join(folder.path, 'skills/weather'),
      url: pathToFileURL(join(folder.path, 'skills/weather')).href,
    };
    await folder.write('cards/relative/files/SKILL.md', skillMd);
    for (const [name, base] of Object.entries(bases)) {
      await folder.write(`cards/${name}/skill-card.json`, cardWith({ base_uri: base, files: ['SKILL.md'] }));
      const file = await folder.write(`cards/${name}/agent.yaml`, agent);
      const within = [join(folder.path, 'skills')];
      const { ok, lines } = await checkAgentFile(file, { within });
      expect([ok, lines], `S0-11 ${name}`).toEqual([true, []]);
      const refused = await checkAgentFile(file);
      expect(refused.ok, `S0-11 ${name}`).toBe(name === 'relative');
    }
  });

  const overHttp = () => httpSkillProvider({ url: `${site.url}/weather`, layout: 'card', allowHttp: true, allowPrivateAddresses: true });

  it('S0-13 SRC-4: the card is listed over HTTP, under its id', async () => {
    const { skills } = await overHttp().listSkills();
    expect(skills).toMatchObject([{ name: 'weather', version: '1.0.0', metadata: { title: 'Weather Lookup' } }]);
  });

  it('S0-13 S0-14 SRC-4: its SKILL.md may have a name for people', async () => {
    const skill = await overHttp().getSkill('weather');
    expect(skill?.body, 'S0-13').toContain('# Weather Lookup Skill');
    expect(skill, 'S0-14').toMatchObject({ name: 'weather', metadata: { title: 'Weather Lookup' } });
  });

  it('S0-16 SRC-4: files on another origin than the card are refused', async () => {
    const elsewhere = await serve((request, response) => {
      const found = request.url === '/weather/skill-card.json';
      response.writeHead(found ? 200 : 404).end(found ? cardWith({ base_uri: `${site.url}/weather` }) : '');
    });
    const provider = httpSkillProvider({ url: `${elsewhere.url}/weather`, layout: 'card', allowHttp: true, allowPrivateAddresses: true });
    await expect(provider.listSkills()).rejects.toThrow('can be used');
    await elsewhere.close();
  });
});

describe('tools that a card brings', () => {
  let server: Awaited<ReturnType<typeof startHttpServer>>;
  beforeAll(async () => {
    server = await startHttpServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function run(fields: object, script: readonly ScriptedTurn[], options: Partial<RunAgentOptions>) {
    const model = scriptedModel(script);
    const readFile = async ({ pathname }: URL) => new TextEncoder().encode(pathname.endsWith('.json') ? cardWith(fields) : skillMd);
    const { messages, state } = await runAgent(agent, {
      models: { 'my-llm': model },
      basePath: '/srv/skills/weather',
      sources: { card: (location) => skillCardProvider({ location, readFile, trusted: true }) },
      input: 'Hi',
      ...options,
    });
    return { texts: toolTexts(messages), state, bound: model.calls.map(({ toolNames }) => toolNames.includes('forecast')) };
  }
  const load = call('load_skill_md', { skill_id: 'weather' });
  const unload = call('unload_skill', { skill_id: 'weather' });

  it.each([
    ['streamable-http', '/mcp'],
    ['sse', '/sse'],
  ])('S0-8 S0-22 S0-30 SRC-7: tools of a %s server come with the skill and leave with it', async (transport, path) => {
    await using source = mcpTools();
    const mcps = { 'my-mcp-server': { id: 'my-mcp-server', version: '1.0.0', url: `${server.url}${path}`, transport } };
    const { texts, bound } = await run({ mcps, local_tools: {} }, [load, call('forecast', { city: 'Oslo' }), unload, say('Done.')], {
      binding: { toolSources: [source] },
    });
    expect(texts[1], 'S0-8 S0-30').toBe('Oslo: rain');
    expect(bound, 'S0-22').toEqual([false, true, true, false]);
  });

  it('S0-50 SRC-7: a server is connected when its skill is loaded, and not before', async () => {
    await using source = mcpTools();
    const before = server.requests();
    const mcps = { weather: { id: 'weather', url: `${server.url}/mcp`, transport: 'streamable-http' } };
    await run({ mcps }, [say('Nothing to do.')], { binding: { toolSources: [source] } });
    expect(server.requests()).toBe(before);
  });

  it('S0-31 SRC-8: a tool by its import path, from a map of the host', async () => {
    const { cities, get_weather } = weatherTool();
    const { state } = await run({}, [load, call('get_weather', { city: 'Oslo' }), say('-3')], {
      binding: { toolSources: [localTools({ map: { 'my_tools.get_weather': get_weather } })] },
    });
    expect([cities, state.loaded_tools]).toEqual([['Oslo'], { weather: ['get_weather'] }]);
  });
});

it('S0-27 S0-28 S0-29 ADP-3: the skill tools without a graph, of a registry and the tools of the host, for any model that binds tools', async () => {
  const { cities, get_weather } = weatherTool();
  const skillRegistry = new SkillRegistry();
  skillRegistry.register({
    name: 'weather',
    version: '1.0.0',
    description: 'Current weather.',
    body: 'Call get_weather.',
    tools: ['get_weather'],
  });
  const state: { current: SkillState } = { current: emptySkillState };
  const heard: string[] = [];
  const tools = createSkillTools({
    skillRegistry,
    toolRegistry: new Map([['get_weather', get_weather]]),
    hooks: { onEvent: ({ type }) => heard.push(type) },
    surface: { names: 'cards' },
    state,
  });
  const invoke = async (name: string, args: unknown) => String(await tools.find((tool) => tool.name === name)?.invoke(args));
  expect(
    tools.map(({ name }) => name),
    'S0-28',
  ).toEqual([
    'list_skills',
    'load_skill_md',
    'unload_skill',
    'list_skill_resources',
    'load_skill_resource',
    'list_skill_assets',
    'load_skill_asset',
    'get_weather',
  ]);
  expect(scriptedModel([]).bindTools(tools), 'S0-29').toBeDefined();
  expect(await invoke('get_weather', { city: 'Oslo' })).toContain('locked');
  expect(await invoke('load_skill_md', { skill_id: 'weather', version: '1.0.0' })).toContain('Call get_weather.');
  expect(await invoke('get_weather', { city: 'Oslo' })).toContain('-3');
  await invoke('unload_skill', { skill_id: 'weather' });
  expect(await invoke('get_weather', { city: 'Bergen' }), 'S0-27').toContain('locked');
  expect([cities, heard]).toEqual([['Oslo'], expect.arrayContaining(['skill_loaded', 'skill_unloaded'])]);
});
