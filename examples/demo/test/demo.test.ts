import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillset } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { chooseModel } from '../src/choose-model.ts';
import { costsOf } from '../src/costs.ts';
import { runDemo, type DemoEvent } from '../src/run-demo.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Makes every attempt to use the network fail loudly, so that none is swallowed. */
const noNetwork = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  import dns from 'node:dns';
  const refuse = () => { process._rawDebug('network was used'); throw new Error('network was used'); };
  net.Socket.prototype.connect = refuse;
  dns.lookup = refuse;
  globalThis.fetch = refuse;
`)}`;

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function demo(
  words: readonly string[],
  { environment = {}, network = false }: { environment?: Record<string, string>; network?: boolean } = {},
): Promise<Run> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NO_COLOR: '1',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ...environment,
  };
  const flags = ['--conditions=@repertoire/source', ...(network ? [] : ['--import', noNetwork])];
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, 'src/main.ts', ...words], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
}

/** What the program reports with `--json`, from the same calls in this process. */
async function report(request: string) {
  const provider = fileSystemSkillProvider({ label: 'examples', roots: [new URL('../../skills/', import.meta.url)] });
  const skills = await aiSdkSkills(createSkillset({ provider }));
  const costs = await costsOf(provider, skills.session.catalog);
  const events: DemoEvent[] = [];
  const state = await runDemo(skills, await chooseModel({}, { offline: true }), request, (event) => void events.push(event));
  return { events, state, costs, skills: skills.session.catalog.skills };
}

describe('the demo without a key', () => {
  it('ADP-4, DIS-1, DIS-3, DIS-4: shows the catalog, what it costs, the skill, the file, the answer and the state', async () => {
    const { code, stdout, stderr } = await demo([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('repertoire.js inspect examples/skills');
    const parts = [
      'No API key: a stand-in model',
      '1 What the agent knows at the start',
      'sql-tuning',
      'This catalog',
      '% fewer tokens',
      '2 The request',
      'got slow after the last release',
      '» The description of sql-tuning speaks of',
      '3 It loads the skill sql-tuning',
      '» references/reading-plans.md is the file',
      '4 It reads references/reading-plans.md',
      '5 The answer',
      'From references/reading-plans.md',
      '6 What is loaded now',
      '"sql-tuning": {',
    ];
    const places = parts.map((part) => stdout.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(stdout).not.toContain('\u001B');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it.each([
    ['Write the changelog for version 2.3.0', 'changelog', 'assets/changelog-template.md'],
    ['Design a REST API for bookings, with pagination', 'api-design', 'references/pagination.md'],
    ['Rename a column of a big table without downtime', 'data-migration', 'references/postgres-ddl.md'],
  ])('DIS-3, DIS-4: %s', async (request, skill, path) => {
    const { events, state } = await report(request);
    expect(events.map(({ type }) => type)).toEqual(['said', 'loaded', 'said', 'read', 'answered']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'loaded', skill }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'read', skill, path }));
    expect(Object.keys(state.loaded)).toEqual([skill]);
  });

  it('DIS-1, DIS-3: loads nothing where nothing fits, says so, and has paid for the catalog only', async () => {
    const { events, state, skills, costs } = await report('Write a birthday poem for my grandmother');
    expect(events).toEqual([{ type: 'answered', text: expect.stringMatching(/^None of the \d+ skills is about this, so I load none/) }]);
    expect(state.loaded).toEqual({});
    expect(skills.length).toBeGreaterThanOrEqual(8);
    expect(costs.files).toBeGreaterThanOrEqual(10);
    expect(costs.catalog).toBeLessThan(costs.everything / 10);
  });

  it('tells how it is used, and refuses what it does not know', async () => {
    expect(await demo(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('pnpm demo "your request"') });
    expect(await demo(['--paint'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/Unknown option '--paint'[^]*See --help/) });
  });
});

describe('the demo with a key', () => {
  it('asks a real provider, and says clearly when that fails', async () => {
    const requests: { url: string | undefined; body: Record<string, unknown> }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requests.push({ url: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown> });
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ error: { message: 'The key is not valid.', type: 'invalid_request_error', code: 'invalid_api_key' } }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const environment = { OPENAI_API_KEY: 'no', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, REPERTOIRE_MODEL: 'a-model' };
    const run = await demo([], { environment, network: true });
    server.close();

    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('Model: a-model (OpenAI)') });
    expect(run.stderr).toMatch(/status 401\): The key is not valid\.\n.*REPERTOIRE_MODEL.*--offline/);
    const tools = expect.arrayContaining([
      expect.objectContaining({ name: 'load_skill' }),
      expect.objectContaining({ name: 'read_skill_file' }),
    ]);
    expect(requests).toEqual([{ url: '/v1/responses', body: expect.objectContaining({ model: 'a-model', tools }) }]);
    expect(JSON.stringify(requests[0]?.body['input'])).toContain('<available_skills>');
  });

  it('stays with the stand-in where it is told to, and takes a request with quotes, in several words, and behind dashes', async () => {
    const words = ['--offline', '--json', '--', '--', 'a birthday poem', 'a "quoted"', "it's"];
    const { code, stdout, stderr } = await demo(words, { environment: { OPENAI_API_KEY: 'no' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { tokens, ...printed } = JSON.parse(stdout) as { tokens: Readonly<Record<string, number>> };
    expect(printed).toEqual({
      model: { name: 'stand-in', offline: true },
      skills: expect.arrayContaining([{ name: 'sql-tuning', description: expect.any(String) }]),
      request: 'a birthday poem a "quoted" it\'s',
      events: [expect.objectContaining({ type: 'answered' })],
      state: expect.objectContaining({ loaded: {} }),
    });
    expect(tokens['used']).toBe(tokens['catalog']);
  });
});
