import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { createSkillset, defineSkill, SkillRegistry, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider, type SkillFieldValue } from '@repertoire/skills-core/internal';
import { generateText, isStepCount, streamText, tool, ToolLoopAgent } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { aiSdkSkills, localTools, type AiSdkToolSource } from '@repertoire/adapter-vercel-ai';
import { mcpTools } from '@repertoire/adapter-vercel-ai/mcp';
import { mcpServer } from './mcp-server.ts';
import { modelOf, toolNames, toolTexts } from './model-of.ts';

const stopWhen = isStepCount(20);
const load = ['load_skill', { name: 'weather' }] as const;
const forecast = ['forecast', { city: 'Bonn' }] as const;
const skillWith = (fields: Record<string, SkillFieldValue>) =>
  defineSkill({ name: 'weather', description: 'Tells the weather. Use when asked about it.', body: 'Call forecast.', fields });
const overHttp = (url: string) => skillWith({ mcps: { weather: { transport: 'streamable-http', url } } });

describe('mcpTools', () => {
  it('SRC-7: tools of a server arrive with the skill and leave with it', async () => {
    const server = await mcpServer();
    await using skills = await aiSdkSkills(createSkillset({ skills: [overHttp(server.url)] }), {
      toolSources: [mcpTools()],
      gate: 'hide',
    });
    const model = modelOf([[forecast], [load], [forecast], [['unload_skill', { name: 'weather' }]], [forecast], 'Done.']);
    const result = await generateText({ model, prompt: 'Weather?', stopWhen, ...skills.agentSettings() });
    expect(result.text).toBe('Done.');
    expect(server.calls).toEqual(['Bonn']);
    expect(model.calls.map((call) => toolNames(call).includes('forecast'))).toEqual([false, false, true, true, false, false]);
    expect(toolTexts(model.calls[3]!).join()).not.toMatch(/^error/);
  });

  it('SRC-7: the connection is let go of at the end, after an error and after an abort', async () => {
    const server = await mcpServer();
    const skillset = createSkillset({ skills: [overHttp(server.url)] });
    const open = () => aiSdkSkills(skillset, { toolSources: [mcpTools()] });
    const closed = async () => {
      await expect.poll(() => server.sessions.size).toBe(0);
      return server.opened();
    };

    const finishing = await open();
    expect(server.sessions.size).toBe(1);
    const streamed = streamText({
      model: modelOf([[load], [forecast], 'Done.']),
      prompt: 'Weather?',
      stopWhen,
      ...finishing.agentSettings(),
      ...finishing.closing,
    });
    expect(await streamed.text).toBe('Done.');
    expect(server.calls).toEqual(['Bonn']);
    expect(await closed()).toBe(1);

    const failing = await open();
    const errors: unknown[] = [];
    const broken = new ToolLoopAgent({ model: modelOf([]), ...failing.agentSettings(), ...failing.closing });
    for await (const part of (await broken.stream({ prompt: 'Weather?' })).stream) if (part.type === 'error') errors.push(part.error);
    expect(errors).toHaveLength(1);
    expect(await closed()).toBe(2);

    const controller = new AbortController();
    const aborting = await open();
    const stopped = streamText({
      model: modelOf([[load], 'Never.']),
      prompt: 'Weather?',
      stopWhen,
      ...aborting.agentSettings({ prepareStep: ({ stepNumber }) => (stepNumber === 1 ? (controller.abort(), undefined) : undefined) }),
      ...aborting.closing,
      abortSignal: controller.signal,
    });
    for await (const _ of stopped.stream);
    expect(await closed()).toBe(3);

    const signal = new AbortController();
    await aiSdkSkills(skillset, { toolSources: [mcpTools()], signal: signal.signal });
    signal.abort();
    expect(await closed()).toBe(4);
    await expect(
      (async () => {
        await using _ = await open();
        throw new Error('the route failed');
      })(),
    ).rejects.toThrow('the route failed');
    expect(await closed()).toBe(5);
  });

  it('SRC-7: what a source connected before an abort is let go of, though nobody gets its tools', async () => {
    const skillset = createSkillset({ skills: [{ name: 'maps', description: 'Draws maps.', body: 'Draw.' }] });
    const request = new AbortController();
    const closed: string[] = [];
    const source: AiSdkToolSource = async ({ name }) => {
      request.abort(new Error('the request ended'));
      return { tools: {}, close: async () => void closed.push(name) };
    };
    await expect(aiSdkSkills(skillset, { toolSources: [source], signal: request.signal })).rejects.toThrow('the request ended');
    expect(closed).toEqual(['maps']);
  });

  it('SRC-7: with keepTools, a later conversation reaches the server only when a tool is called, and lets go of it all the same', async () => {
    const server = await mcpServer();
    const skillset = createSkillset({ skills: [overHttp(server.url)] });
    const source = mcpTools({ keepTools: true });
    const talk = async (turns: Parameters<typeof modelOf>[0]) => {
      await using skills = await aiSdkSkills(skillset, { toolSources: [source] });
      const model = modelOf(turns);
      await generateText({ model, prompt: 'Weather?', stopWhen, ...skills.agentSettings() });
      return JSON.stringify(model.calls[0]!.tools);
    };
    const first = await talk([[load], 'Done.']);
    expect(server.opened()).toBe(1);
    expect(await talk([[forecast], [load], 'Done.'])).toBe(first);
    expect({ opened: server.opened(), calls: server.calls }).toEqual({ opened: 1, calls: [] });
    await talk([[load], [forecast], [forecast], 'Done.']);
    expect({ opened: server.opened(), calls: server.calls }).toEqual({ opened: 2, calls: ['Bonn', 'Bonn'] });
    await expect.poll(() => server.sessions.size).toBe(0);
  });

  it('SRC-7: a tool that is called after the connection was closed says so', async () => {
    const server = await mcpServer();
    const source = mcpTools({ keepTools: true });
    const skillset = createSkillset({ skills: [overHttp(server.url)] });
    await (await aiSdkSkills(skillset, { toolSources: [source] })).close();
    const skills = await aiSdkSkills(skillset, { toolSources: [source] });
    await skills.close();
    const model = modelOf([[load], [forecast], 'Done.']);
    await generateText({ model, prompt: 'Weather?', stopWhen, ...skills.agentSettings() });
    expect(toolTexts(model.calls[2]!)).toEqual([expect.stringContaining('has been closed')]);
    expect(server.opened()).toBe(1);
  });

  it('SRC-7: a server that runs as a process is started only where the host says how, with its environment, and ends with the connection (ATK-14)', async () => {
    const file = new URL('./fixtures-stdio-server.ts', import.meta.url).pathname;
    const sums = defineSkill({
      name: 'sums',
      description: 'Adds. Use for sums.',
      body: 'Call add.',
      fields: { mcps: { sums: { transport: 'stdio', command: process.execPath, args: [file], env: { WHO: 'me' } } } },
    });
    const diagnostics: SkillDiagnostic[] = [];
    const without = await aiSdkSkills(createSkillset({ skills: [sums] }), {
      toolSources: [mcpTools()],
      onDiagnostic: (found) => diagnostics.push(found),
    });
    expect(Object.keys(without.tools)).not.toContain('add');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'skill-tools', message: expect.stringContaining('runs a program') })]);

    const stdio = ({ command, args, env }: { command: string; args: readonly string[]; env: Readonly<Record<string, string>> }) =>
      new Experimental_StdioMCPTransport({ command, args: [...args], env: { ...env } });
    await using skills = await aiSdkSkills(createSkillset({ skills: [sums] }), { toolSources: [mcpTools({ stdio })] });
    const model = modelOf([[['load_skill', { name: 'sums' }]], [['add', { a: 1, b: 2 }]], 'Three.']);
    const { toolResults } = await generateText({ model, prompt: '1 + 2?', stopWhen, ...skills.agentSettings() });
    expect(JSON.stringify(toolResults.at(-1)?.output), 'S0-30').toContain('3 for me');
  });

  it('SRC-7: an untrusted skill, and a server that the host does not allow, are never reached (ATK-111)', async () => {
    const server = await mcpServer();
    const untrusted = createSkillset({ provider: new SkillRegistry({ skills: [overHttp(server.url)], trusted: false }) });
    expect(Object.keys((await aiSdkSkills(untrusted, { toolSources: [mcpTools()] })).tools)).not.toContain('forecast');
    const allowed = await aiSdkSkills(createSkillset({ skills: [overHttp(server.url)] }), {
      toolSources: [mcpTools({ allow: () => false })],
    });
    expect(Object.keys(allowed.tools)).not.toContain('forecast');
    expect(server.opened()).toBe(0);
  });

  it('SRC-7: a server that does not answer is reported, and the skill goes on without it; a name that is taken gets the skill in front', async () => {
    const diagnostics: SkillDiagnostic[] = [];
    const gone = await aiSdkSkills(createSkillset({ skills: [overHttp('http://127.0.0.1:1/mcp')] }), {
      toolSources: [mcpTools()],
      onDiagnostic: (found) => diagnostics.push(found),
    });
    expect(diagnostics).toEqual([expect.objectContaining({ severity: 'error', skill: 'weather' })]);
    const { text } = await generateText({ model: modelOf([[load], 'Done.']), prompt: 'Weather?', stopWhen, ...gone.agentSettings() });
    expect(text).toBe('Done.');

    const server = await mcpServer();
    const mcps = {
      weather: { transport: 'streamable-http', url: server.url },
      gone: { transport: 'streamable-http', url: 'http://127.0.0.1:1/mcp' },
    };
    const half = await aiSdkSkills(createSkillset({ skills: [skillWith({ mcps })] }), { toolSources: [mcpTools()] });
    expect([server.opened(), Object.keys(half.tools).includes('forecast')]).toEqual([1, false]);
    // What the skill had connected to before is let go of.
    await expect.poll(() => server.sessions.size).toBe(0);

    const own = tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'mine' });
    await using skills = await aiSdkSkills(createSkillset({ skills: [overHttp(server.url)] }), {
      toolSources: [mcpTools()],
      tools: { forecast: own },
    });
    expect(skills.tools.forecast).toBe(own);
    expect(Object.keys(skills.tools)).toContain('weather__forecast');
  });
});

describe('localTools', () => {
  const getWeather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `rain in ${city}` });
  const local = skillWith({ local_tools: { forecast: { import_path: './tools.js#getWeather' } } });
  const run = async (skillset: ReturnType<typeof createSkillset>, options: Parameters<typeof localTools>[0]) => {
    const diagnostics: SkillDiagnostic[] = [];
    const skills = await aiSdkSkills(skillset, { toolSources: [localTools(options)], onDiagnostic: (found) => diagnostics.push(found) });
    const { toolResults } = await generateText({
      model: modelOf([[forecast], [load], [forecast], 'Done.']),
      prompt: 'x',
      stopWhen,
      ...skills.agentSettings(),
    });
    return {
      outputs: toolResults.map(({ toolName, output }) => [toolName, String(output).slice(0, 14)]),
      diagnostics: diagnostics.map(({ code }) => code),
    };
  };

  it('SRC-8: come from a map, by import path or by name, and are locked until the skill is loaded', async () => {
    const skillset = createSkillset({ skills: [local] });
    const outputs = [
      ['load_skill', '<skill_content'],
      ['forecast', 'rain in Bonn'],
    ];
    expect(await run(skillset, { map: { './tools.js#getWeather': getWeather } })).toEqual({ outputs, diagnostics: [] });
    expect(await run(skillset, { map: { forecast: getWeather } })).toEqual({ outputs, diagnostics: [] });
    expect(await run(skillset, { map: { forecast: 'no tool' } })).toEqual({ outputs: outputs.slice(0, 1), diagnostics: ['local-tool'] });
    expect(await run(skillset, {})).toEqual({ outputs: outputs.slice(0, 1), diagnostics: ['local-tool'] });
  });

  it('SRC-8: come from modules of folders that the host trusts, and from no other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'local-tools-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(
      join(folder, 'tools.js'),
      `export const getWeather = { inputSchema: { jsonSchema: { type: 'object' } , [Symbol.for('vercel.ai.schema')]: true, validate: (value) => ({ success: true, value }) }, execute: async ({ city }) => 'snow in ' + city };`,
    );
    const uri = pathToFileURL(`${folder}/`).href;
    const inFolder = (trusted: boolean): SkillProvider => {
      const provider = fixedSkillProvider([local], { trusted });
      const placed = <Item extends { origin?: unknown }>(item: Item): Item => ({ ...item, origin: { ...(item.origin as object), uri } });
      return {
        ...provider,
        async listSkills(options) {
          const listing = await provider.listSkills(options);
          return { ...listing, skills: listing.skills.map(placed) };
        },
      };
    };
    const importModule = (url: string) => import(url);
    const outputs = [
      ['load_skill', '<skill_content'],
      ['forecast', 'snow in Bonn'],
    ];
    expect(await run(createSkillset({ provider: inFolder(true) }), { folders: [uri], importModule })).toEqual({ outputs, diagnostics: [] });
    const none = { outputs: outputs.slice(0, 1), diagnostics: ['local-tool'] };
    expect(await run(createSkillset({ provider: inFolder(true) }), { folders: ['file:///elsewhere/'], importModule })).toEqual(none);
    expect(await run(createSkillset({ provider: inFolder(false) }), { folders: [uri], importModule })).toEqual({
      ...none,
      diagnostics: [],
    });
  });
});
