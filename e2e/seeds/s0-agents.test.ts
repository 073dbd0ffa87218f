import { join } from 'node:path';
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { compileAgent, type CompileAgentOptions } from '@repertoire/declarative';
import { checkAgentFile, loadAgentFile, readAgentFile } from '@repertoire/declarative/node';
import { SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedTurn } from '@repertoire/skills-testkit/langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverAgent, planAgent, seedFolder, skillsSection, weatherTool } from './s0-input.ts';

let folder: Awaited<ReturnType<typeof seedFolder>>;
beforeAll(async () => {
  folder = await seedFolder();
});
afterAll(() => folder.remove());

const call = (toolName: string, input: unknown = {}): ScriptedTurn => ({ toolCalls: [{ toolName, input }] });
const say = (text: string): ScriptedTurn => ({ text });
const load = call('load_skill_md', { skill_id: 'weather', version: '1.0.0' });
const person = (content: string) => ({ messages: [{ role: 'user', content }] });
const texts = (messages: readonly BaseMessage[]): string[] => messages.map(({ type, text }) => `${type}: ${text}`);
const toolTexts = (messages: readonly BaseMessage[]): string[] =>
  messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);

/** Runs a file of the folder with a script. */
async function run(file: string, script: readonly ScriptedTurn[], options: Omit<CompileAgentOptions, 'models' | 'sources'> = {}) {
  const model = scriptedModel(script);
  const { cities, get_weather } = weatherTool();
  const graph = await loadAgentFile(join(folder.path, 'agents', file), {
    models: { 'my-llm': model },
    tools: [get_weather],
    within: [join(folder.path, 'skills')],
    trusted: true,
    ...options,
  });
  const turn = (content = 'How cold is it in Oslo?') => graph.invoke(person(content), { configurable: { thread_id: 'one' } });
  return { model, cities, graph, turn, bound: () => model.calls.map(({ toolNames }) => toolNames.join(' ')) };
}

/** An agent with other nodes over the same skill. */
const withNodes = (name: string, nodes: string): Promise<string> =>
  folder.write(`agents/${name}`, `${skillsSection}llms: [{ id: my-llm }]\nstate: { found: { type: any } }\n${nodes}`);
const allTools = [
  'list_skills',
  'load_skill_md',
  'unload_skill',
  'list_skill_resources',
  'load_skill_resource',
  'list_skill_assets',
  'load_skill_asset',
];
const ask = (tools = allTools) => `nodes:
  - name: ask
    type: call_llm
    args:
      prompt: '"Go."'
      tools: [${tools.map((id) => `{ id: ${id} }`).join(', ')}]
      use_tools_from_loaded_skills: true
`;

describe('discover, load, execute: as written', () => {
  it('S0-1 DEC-1 GOV-1: discovers, loads, uses the tool, and unloads in the next turn', async () => {
    const { cities, turn, bound } = await run(
      'discover.yaml',
      [
        load,
        say('Loaded.'),
        call('get_weather', { city: 'Oslo' }),
        say('-3'),
        call('unload_skill', { skill_id: 'weather' }),
        say('Ended.'),
        say('No tools.'),
      ],
      { graph: { checkpointer: new MemorySaver() } },
    );
    const first = await turn();
    expect([cities, first.messages.at(-1)?.text, first.loaded_tools]).toEqual([['Oslo'], '-3', { weather: ['get_weather'] }]);
    const second = await turn('I am done with the weather.');
    expect(bound()).toEqual([
      ...Array.from({ length: 2 }, () => 'load_skill_md unload_skill'),
      ...Array.from({ length: 2 }, () => 'get_weather'),
      ...Array.from({ length: 2 }, () => 'load_skill_md unload_skill'),
      '',
    ]);
    expect(second.loaded_skills['weather'] ?? null).toBeNull();
  });

  it('S0-2 S0-3 S0-39 DEC-1: template() puts string(skills) into the prompt, by id, and no model was asked for it', async () => {
    const { model, turn } = await run('discover.yaml', [say('None.'), say('Done.')]);
    await turn();
    expect(model.calls[0]?.messages[0]?.text, 'S0-2 S0-3 S0-39').toBe(
      `Here are the available skills: ${JSON.stringify({
        weather: {
          id: 'weather',
          version: '1.0.0',
          name: 'Weather Lookup',
          description: 'Get current weather conditions for any city worldwide.',
        },
      })} Call load_skill_md for the most relevant skill.\n`,
    );
  });

  it('S0-12 S0-14 S0-17 DEC-1 FMT-4: the card on the disk is the manifest, whatever name SKILL.md has; loading gives its instructions', async () => {
    const { turn } = await run('discover.yaml', [load, say('Loaded.'), say('Done.')]);
    const { messages, loaded_skills } = await turn();
    expect(toolTexts(messages), 'S0-12 S0-14 S0-17').toEqual([expect.stringContaining('Call `get_weather(city="<city name>")`.')]);
    expect(loaded_skills).toMatchObject({ weather: { version: '1.0.0' } });
  });

  it('S0-31 SRC-8: the import path of another language names a tool of the host, and nothing is imported', async () => {
    const { cities, turn } = await run('discover.yaml', [load, say('Loaded.'), call('get_weather', { city: 'Oslo' }), say('-3')]);
    await turn();
    expect(cities).toEqual(['Oslo']);
    const without = await run('discover.yaml', [load, say('Loaded.'), call('get_weather', { city: 'Oslo' }), say('-3')], { tools: [] });
    expect(toolTexts((await without.turn()).messages)[1]).toContain('get_weather');
    expect(without.cities).toEqual([]);
  });

  it('S0-36 S0-37 DEC-1: a node binds what it names, and one with use_tools_from_loaded_skills only what was loaded', async () => {
    const { turn, bound } = await run('discover.yaml', [say('Nothing to load.'), say('Done.')]);
    await turn();
    expect(bound(), 'S0-36 S0-37').toEqual(['load_skill_md unload_skill', '']);
  });

  it('S0-38 DEC-1: paths start at the file, may be absolute, and need base_path where the file is given as text', async () => {
    const absolute = discoverAgent.replace('../skills', join(folder.path, 'skills'));
    await folder.write('agents/absolute.yaml', absolute);
    const within = [join(folder.path, 'skills')];
    expect(await checkAgentFile(join(folder.path, 'agents/discover.yaml'), { within })).toMatchObject({ ok: true });
    expect(await checkAgentFile(join(folder.path, 'agents/absolute.yaml'), { within })).toMatchObject({ ok: true });
    const { text, options } = await readAgentFile(join(folder.path, 'agents/discover.yaml'), { within });
    const given = { models: () => scriptedModel([]), sources: options.sources };
    await expect(compileAgent(text, given)).rejects.toThrow(/basePath/);
    const graph = await compileAgent(text, { ...given, basePath: options.basePath, within: options.within });
    expect(Object.keys(graph.nodes)).toContain('discover');
  });

  it('S0-47 DEC-1: what is loaded survives in a checkpoint, for a graph that was compiled anew', async () => {
    const checkpointer = new MemorySaver();
    await (await run('discover.yaml', [load, say('Loaded.'), say('Ready.')], { graph: { checkpointer } })).turn();
    const later = await run('discover.yaml', [say('It is loaded.'), call('get_weather', { city: 'Bergen' }), say('4')], {
      graph: { checkpointer },
    });
    await later.turn('And Bergen?');
    expect([later.cities, later.bound()[1]]).toEqual([['Bergen'], 'get_weather']);
  });
});

describe('find, load, plan: as written', () => {
  const select = call('SelectedSkills', { skills: [{ id: 'weather', version: '1.0.0' }] });

  it('S0-32 S0-33 S0-41 S0-43 S0-48 DEC-1: the answer has the form; a node loads what it names, as calls with results; the plan has the tool', async () => {
    const { cities, turn, bound } = await run('plan.yaml', [select, call('get_weather', { city: 'Oslo' }), say('-3')]);
    const { messages } = await turn();
    expect([cities, bound(), messages.at(-1)?.text], 'S0-48').toEqual([['Oslo'], ['SelectedSkills', 'get_weather', 'get_weather'], '-3']);
    expect(messages[1]?.text, 'S0-41').toBe('{"skills":[{"id":"weather","version":"1.0.0"}]}');
    const [calls, result] = messages.slice(2, 4);
    expect(AIMessage.isInstance(calls) && calls.tool_calls?.map(({ name, args }) => [name, Object.values(args)]), 'S0-32 S0-43').toEqual([
      ['load_skill_md', ['weather', '1.0.0']],
    ]);
    expect(
      ToolMessage.isInstance(result) && AIMessage.isInstance(calls) && result.tool_call_id === calls.tool_calls?.[0]?.id,
      'S0-33',
    ).toBe(true);
    expect(result?.text).toContain('# Weather Lookup Skill');
  });

  it('S0-35 DEC-1: an unknown id is a call with an error as its result, and the plan goes on', async () => {
    const { turn, bound } = await run('plan.yaml', [call('SelectedSkills', { skills: [{ id: 'wether' }] }), say('Without a skill.')]);
    const { messages } = await turn();
    expect(toolTexts(messages)).toEqual([expect.stringMatching(/skill-not-found.*weather/s)]);
    expect([bound(), messages.at(-1)?.text]).toEqual([['SelectedSkills', ''], 'Without a skill.']);
  });

  it('S0-41 DEC-1: an answer of another form ends the run', async () => {
    const { turn } = await run('plan.yaml', [call('SelectedSkills', { skills: [{ version: '1' }] })]);
    await expect(turn()).rejects.toMatchObject({ code: 'agent-failed' });
  });

  it('S0-34 DEC-1: both ways stand in one agent: a node loads, and the model unloads and loads again', async () => {
    const both = planAgent.replace(
      '      use_tools_from_loaded_skills: true',
      '      use_tools_from_loaded_skills: true\n      tools: [{ id: load_skill_md }, { id: unload_skill }]',
    );
    await folder.write('agents/both.yaml', both);
    const { turn, bound } = await run('both.yaml', [select, call('unload_skill', { skill_id: 'weather' }), load, say('Done.')]);
    const { loaded_tools } = await turn();
    expect(bound().map((names) => names.includes('get_weather'))).toEqual([false, true, false, true]);
    expect(loaded_tools).toEqual({ weather: ['get_weather'] });
  });
});

describe('nodes, edges and expressions', () => {
  it('S0-40 S0-42 DEC-1: call_llm writes by state_updates alone', async () => {
    await withNodes(
      'updates.yaml',
      `nodes:\n  - { name: a, type: call_llm, args: { prompt: '"Go."', state_updates: { found: 'llm_response.content' } } }\n`,
    );
    const { turn } = await run('updates.yaml', [say('Seen.')]);
    const { messages, ...state } = await turn();
    expect([texts(messages), state['found']], 'S0-40 S0-42').toEqual([['human: How cold is it in Oslo?'], 'Seen.']);
  });

  it('S0-3 DEC-1: skills["weather"] has id, version, name and description', async () => {
    await withNodes('entry.yaml', `nodes:\n  - { name: a, type: set_state, args: { state_updates: { found: 'skills["weather"]' } } }\n`);
    const { turn } = await run('entry.yaml', []);
    expect((await turn())['found']).toEqual({
      id: 'weather',
      version: '1.0.0',
      name: 'Weather Lookup',
      description: 'Get current weather conditions for any city worldwide.',
    });
  });

  it('S0-44 DEC-1: an edge with conditions takes the first that is true', async () => {
    const set = (name: string) => `  - { name: ${name}, type: set_state, args: { state_updates: { found: '"${name}"' } } }\n`;
    await withNodes(
      'edges.yaml',
      `nodes:\n${set('cold')}${set('warm')}edges:
  - source: START
    branches: [{ condition: 'state.messages[0].content.contains("cold")', target: cold }]
    default: warm
  - { source: cold, target: END }
  - { source: warm, target: END }
`,
    );
    const { turn } = await run('edges.yaml', []);
    expect([(await turn())['found'], (await turn('Is it hot?'))['found']]).toEqual(['cold', 'warm']);
  });
});

describe('the seven tools', () => {
  it('S0-25 DIS-7: they are there where skills are, all seven', async () => {
    await withNodes('seven.yaml', ask());
    const { turn, bound } = await run('seven.yaml', [say('Done.')]);
    await turn();
    expect(bound()[0]?.split(' ').toSorted()).toEqual(allTools.toSorted());
  });

  // It tells the id and the description; version and name for people are in the variable `skills` alone.
  it('S0-4 DIS-7: list_skills tells id, version, name and description', async () => {
    await withNodes('seven.yaml', ask());
    const { turn } = await run('seven.yaml', [call('list_skills'), say('Done.')]);
    const [listed] = toolTexts((await turn()).messages);
    for (const part of ['weather', '1.0.0', 'Weather Lookup', 'Get current weather conditions']) expect(listed).toContain(part);
  });

  it('S0-19 S0-20 S0-24 DIS-7: resources and assets are listed and read, under the names of arguments of that system', async () => {
    await withNodes('files.yaml', ask());
    const weather = { skill_id: 'weather', version: '1.0.0' };
    const { turn } = await run('files.yaml', [
      load,
      call('list_skill_resources', weather),
      call('load_skill_resource', { ...weather, resource_path: 'references/open-meteo-api.md' }),
      call('list_skill_assets', weather),
      call('load_skill_asset', { ...weather, asset_path: 'assets/weather-codes.md' }),
      call('unload_skill', weather),
      say('Done.'),
    ]);
    const { messages, loaded_skills } = await turn();
    const [, resources, resource, assets, asset] = toolTexts(messages);
    expect([resources, resource, assets, asset], 'S0-19 S0-24').toEqual([
      expect.stringContaining('references/open-meteo-api.md'),
      expect.stringContaining('# The API'),
      expect.stringContaining('assets/weather-codes.md'),
      expect.stringContaining('# Codes'),
    ]);
    expect([resources?.includes('weather-codes'), assets?.includes('open-meteo'), loaded_skills['weather'] ?? null]).toEqual([
      false,
      false,
      null,
    ]);
  });

  it.each(['1.0.0', '*', '^1.0.0'])('S0-18 CON-8: load_skill_md takes the version %s', async (version) => {
    await withNodes('version.yaml', ask());
    const { turn } = await run('version.yaml', [call('load_skill_md', { skill_id: 'weather', version }), say('Done.')]);
    expect((await turn()).loaded_skills).toMatchObject({ weather: { version: '1.0.0' } });
  });

  it('S0-18 CON-8: a version that is not there loads nothing', async () => {
    await withNodes('version.yaml', ask());
    const { turn } = await run('version.yaml', [call('load_skill_md', { skill_id: 'weather', version: '2.0.0' }), say('Done.')]);
    const { messages, loaded_skills } = await turn();
    expect([toolTexts(messages)[0], loaded_skills]).toEqual([expect.stringContaining('1.0.0'), {}]);
  });

  it('S0-21 S0-23 S0-26 DIS-6: unloading takes the tools away and clears the state; the skill can be loaded again', async () => {
    await withNodes('again.yaml', ask());
    const unload = call('unload_skill', { skill_id: 'weather' });
    const { turn, bound } = await run('again.yaml', [load, unload, call('get_weather', { city: 'Oslo' }), load, say('Done.')]);
    const { messages, loaded_skills, loaded_tools } = await turn();
    expect(
      bound().map((names) => names.includes('get_weather')),
      'S0-21 S0-23',
    ).toEqual([false, true, false, false, true]);
    expect(toolTexts(messages)[2]).toContain('locked');
    expect([loaded_skills['weather']?.version, loaded_tools], 'S0-26').toEqual(['1.0.0', { weather: ['get_weather'] }]);
  });

  it('S0-5 DIS-7: a skill that is registered later is listed in the next conversation', async () => {
    const registry = new SkillRegistry();
    registry.register({ name: 'first', description: 'One.', body: 'One.' });
    const model = scriptedModel([call('list_skills'), say('Done.'), call('list_skills'), say('Done.')]);
    const text = `skills: [{ folder: skills }]\nllms: [{ id: my-llm }]\n${ask()}`;
    const graph = await compileAgent(text, { models: { 'my-llm': model }, basePath: folder.path, sources: { folder: () => registry } });
    expect(toolTexts((await graph.invoke(person('Hi'))).messages)[0]).not.toContain('second');
    registry.register({ name: 'second', description: 'Two.', body: 'Two.' });
    expect(toolTexts((await graph.invoke(person('Hi'))).messages)[0]).toContain('second');
  });
});
