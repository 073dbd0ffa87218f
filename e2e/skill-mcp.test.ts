import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
import type { SkillLibraryFiles } from '@repertoire/skills-testkit';
import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../test/support/bundle-program.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { openWorkerd } from './open-workerd.ts';
import { runInWorkerd } from './run-in-workerd.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, 'workers');
const stdioServer = await bundleProgram(join(programs, 'skill-mcp-stdio.ts'));
const conformanceClient = await bundleProgram(join(programs, 'skill-mcp-conformance-client.ts'));

/** The file behind a command of a package. */
function commandOf(name: string, file: string): string {
  return join(import.meta.dirname, 'node_modules', name, file);
}

describe('SRC-6, CON-4: skill-mcp over stdio, with a child process', () => {
  const knownFailures = [
    { id: 'list/other-fields', reason: 'The extension sends the frontmatter as JSON, where the number 1.10 is 1.1.' },
    { id: 'list/diagnostics', reason: 'The served provider is made of skills in code: what was unreadable is gone before it begins.' },
  ] as const;
  const abilities = ['watch', 'dispose', 'versions', 'raw'] as const;
  const host = fork(stdioServer, { execArgv: [] });
  /** A shell hands on what a server in the process of `host` reads and writes. */
  const viaHost = async (folder: string): Promise<StdioServerParameters> => {
    host.send(folder);
    const [port] = (await once(host, 'message')) as [number];
    return { command: 'bash', args: ['--norc', '-c', 'exec 3<>/dev/tcp/127.0.0.1/$0; cat <&3 & cat >&3; kill $!', `${port}`] };
  };
  /** Servers that run, by their library: most cases only read. */
  const servers = new Map<SkillLibraryFiles, Promise<StdioServer>>();
  const started: Promise<StdioServer>[] = [];
  const serverOf = (files: SkillLibraryFiles): Promise<StdioServer> => {
    const server = servers.get(files) ?? startServer(files, viaHost);
    if (!servers.has(files)) started.push(server);
    servers.set(files, server);
    return server;
  };
  afterAll(async () => {
    for (const server of started) await stopServer(await server);
    host.kill();
  });

  it('SRC-6: a server that is a process of its own is read', async () => {
    const files = { 'haiku/SKILL.md': '---\nname: haiku\ndescription: Writes haiku.\n---\n\nFive, seven, five.\n' };
    const server = await startServer(files, async (folder) => ({ command: process.execPath, args: [stdioServer, folder] }));
    const provider = mcpSkillProvider({ label: 'stdio', client: server.client });
    expect(await provider.getSkill('haiku')).toMatchObject({ body: 'Five, seven, five.' });
    await stopServer(server);
  });

  testSkillProvider({
    name: 'skill-mcp over stdio',
    abilities,
    trusted: false,
    knownFailures,
    create: async (files) => {
      const { client, folder } = await serverOf(files);
      return {
        provider: mcpSkillProvider({ label: 'stdio', client, profile: 'lenient', minFreshMs: 0 }),
        change: async (next) => {
          // No other case may see what comes now.
          servers.delete(files);
          for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
          await fill(folder, next);
        },
      };
    },
  });
});

interface StdioServer {
  readonly client: Client;
  /** The folder that it publishes. */
  readonly folder: string;
}

async function startServer(files: SkillLibraryFiles, commandFor: (folder: string) => Promise<StdioServerParameters>): Promise<StdioServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'skill-mcp-stdio-')));
  await fill(folder, files);
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...(await commandFor(folder)), stderr: 'ignore' }));
  return { client, folder };
}

async function stopServer({ client, folder }: StdioServer): Promise<void> {
  await client.close();
  await rm(folder, { recursive: true });
}

describe('SRC-6, CON-4: skill-mcp in workerd without nodejs_compat', () => {
  it('SRC-6: passes the suite on both ends, over a pair in memory and by fetch', async () => {
    const code = await bundleTestWorker(`export { default } from './workers/skill-mcp-worker.ts';`);
    const results = (await runInWorkerd(code)) as { name: string; passed: number; failed: string[] }[];
    expect(results.map(({ name }) => name)).toEqual(['in memory', 'by fetch']);
    for (const { passed, failed } of results) {
      expect(failed).toEqual([expect.stringContaining('list/other-fields'), expect.stringContaining('list/diagnostics')]);
      expect(passed).toBeGreaterThan(45);
    }
  });
});

describe('SRC-6: a Worker that publishes', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const code = await bundleTestWorker(`import { createMcpSkillsHandler } from '@repertoire/skill-mcp/server';
       import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
       const haiku = defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.', resources: { 'moon.txt': 'Moon.' } });
       export default createMcpSkillsHandler(new SkillRegistry({ skills: [haiku] }), { exposeTools: true });`);
    runtime = openWorkerd(code);
  });
  afterAll(() => runtime.dispose());

  it.each(['auto', 'legacy'] as const)('SRC-6: is its own default export, and a client outside reads it in mode %s', async (mode) => {
    const client = new Client({ name: 'outside', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL('mcp', await runtime.ready)));
    const provider = mcpSkillProvider({ label: 'worker', client });
    expect(await provider.getSkill('haiku')).toMatchObject({ body: 'Five, seven, five.', origin: { verified: true, trusted: false } });
    expect((await provider.readResource('haiku', 'moon.txt'))?.size).toBe(5);
    const { content } = await client.callTool({ name: 'load_skill', arguments: { name: 'haiku' } });
    expect(content).toEqual([{ type: 'text', text: expect.stringContaining('Five, seven, five.') }]);
    await client.close();
  });
});

describe('SRC-6: tools of other parties against our server', () => {
  const skills = [
    defineSkill({
      name: 'billing',
      description: 'Refunds orders. Use when a customer wants money back.',
      body: 'Read references/policy.md first.',
      arguments: ['order'],
      resources: { 'references/policy.md': 'Within 30 days.\n', 'assets/seal.bin': Uint8Array.of(0, 159, 146, 150) },
    }),
    defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' }),
  ];
  const handler = createMcpSkillsHandler(new SkillRegistry({ skills }), { exposeTools: true });
  const node = toNodeHandler(handler);
  const http = createServer((request, response) => void node(request as Parameters<typeof node>[0], response));
  let url = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  });
  afterAll(async () => {
    await handler[Symbol.asyncDispose]();
    http.closeAllConnections();
    await new Promise((resolve) => void http.close(resolve));
  });

  it.each([
    ['sep-2640-skills-enumeration', 32],
    ['sep-2640-skills-manifest', 6],
    ['sep-2640-skills-directory', 7],
  ])('SRC-6: passes the official conformance scenario %s, all %i checks of it', async (scenario, checks) => {
    const command = commandOf('@modelcontextprotocol/conformance', 'dist/index.js');
    const { stdout } = await run(process.execPath, [command, 'server', '--url', url, '--scenario', scenario], { cwd: tmpdir() });
    expect(stdout).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  });

  it.each(['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'])(
    'SRC-6: passes the official conformance scenario sep-2640-client-%s',
    async (name) => {
      const folder = await mkdtemp(join(tmpdir(), 'skill-mcp-conformance-'));
      try {
        const command = `"${process.execPath}" "${conformanceClient}"`;
        const suite = commandOf('@modelcontextprotocol/conformance', 'dist/index.js');
        const given = [
          'client',
          '--command',
          command,
          '--scenario',
          `sep-2640-client-${name}`,
          '--timeout',
          '90000',
          '--output-dir',
          folder,
        ];
        const { stdout, stderr } = await run(process.execPath, [suite, ...given], { cwd: folder });
        // Where the environment asks for colors, they stand between the words.
        const output = stripVTControlCharacters(`${stdout}${stderr}`);
        expect(output).toContain('Passed: 1/1, 0 failed, 0 warnings');
        // What was tampered with is refused for that reason, and not because something else went wrong.
        expect(output.includes("code: 'digest-mismatch'")).toBe(name !== 'no-prefetch');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it('SRC-6: the MCP Inspector lists and calls our tools, and gets our prompts and resources', async () => {
    const inspect = async (...rest: string[]): Promise<unknown> => {
      const cli = commandOf('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');
      const { stdout } = await run(process.execPath, [cli, '--cli', url, '--transport', 'http', ...rest]);
      return JSON.parse(stdout);
    };
    expect(await inspect('--method', 'tools/list')).toMatchObject({
      tools: [{ name: 'list_skills' }, { name: 'load_skill' }, { name: 'read_skill_file' }],
    });
    expect(await inspect('--method', 'tools/call', '--tool-name', 'load_skill', '--tool-arg', 'name=billing')).toMatchObject({
      content: [{ text: expect.stringContaining('Read references/policy.md first.') }],
    });
    expect(await inspect('--method', 'prompts/list')).toMatchObject({
      prompts: [{ name: 'billing', arguments: [{ name: 'order' }] }, { name: 'haiku' }],
    });
    expect(await inspect('--method', 'resources/read', '--uri', 'skill://billing/references/policy.md')).toMatchObject({
      contents: [{ text: 'Within 30 days.\n' }],
    });
  });
});

async function fill(folder: string, files: SkillLibraryFiles): Promise<void> {
  for (const [inner, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, inner)), { recursive: true });
    await writeFile(join(folder, inner), content);
  }
}
