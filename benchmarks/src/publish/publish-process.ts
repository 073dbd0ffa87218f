/**
 * One fresh process of the benchmark of publishing: `node publish-process.ts <what> <file with the work>` measures once and prints a line of JSON.
 * Modules are imported before the clock starts: what is measured is the work, with code that no compiler has seen yet.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import type { SkillProvider } from '@repertoire/skills-core';
import type { PublishWork } from './publish-work.ts';

/** What one process measured. Times in milliseconds; `null` where there is no such step. */
export interface PublishMeasurement {
  readonly ms: number;
  /** Of the whole process: the compiler, the collector of garbage and the threads that read are part of it. */
  readonly cpuMs: number;
  /** The longest time that the event loop was kept, and how much of it this thread had the processor. */
  readonly keptMs: number;
  readonly keptCpuMs: number;
  /** How many skills or files it was. */
  readonly count: number;
  readonly peakRssMb: number;
}

/** What can be measured. */
export type PublishStep = 'floor' | 'provider-floor' | 'http-index' | 'mcp-list' | 'mcp-digests' | 'mcp-read' | 'mcp-read-http';

const measurements: Readonly<Record<PublishStep, () => Promise<PublishMeasurement>>> = {
  floor,
  'provider-floor': providerFloor,
  'http-index': httpIndex,
  'mcp-list': mcpList,
  'mcp-digests': mcpDigests,
  'mcp-read': mcpRead,
  'mcp-read-http': mcpReadHttp,
};

const [what, workFile = '', cacheFolder] = process.argv.slice(2);
const work = JSON.parse(readFileSync(workFile, 'utf8')) as PublishWork;
console.log(JSON.stringify(await measurements[what as PublishStep]()));
process.exit();

/** The least that knowing the digests of all files can cost: read each once and hash it. Finding them is not part of it. */
async function floor(): Promise<PublishMeasurement> {
  return await timed(async () => {
    for (const file of work.files) createHash('sha256').update(readFileSync(file)).digest('hex');
    return work.files.length;
  });
}

/** The same by the contract of sources: list the skills, get each, read each of its files and hash it. */
async function providerFloor(): Promise<PublishMeasurement> {
  const provider = await folders();
  const { sha256Hex } = await import('@repertoire/skills-core/provider');
  return await timed(async () => {
    let count = 0;
    for (const { name, version } of (await provider.listSkills()).skills) {
      const skill = await provider.getSkill(name, { version });
      for (const path of ['SKILL.md', ...(skill?.resources ?? []).map((resource) => resource.path)]) {
        const resource = await provider.readResource(name, path, { version });
        await sha256Hex(resource?.bytes ?? '');
        count += 1;
      }
    }
    return count;
  });
}

/** A new handler answers the first request for its index. */
async function httpIndex(): Promise<PublishMeasurement> {
  const { createSkillsHandler } = await import('@repertoire/skill-http/server');
  const provider = await folders();
  const handler = createSkillsHandler(provider);
  return await timed(async () => {
    const response = await handler(new Request('http://127.0.0.1/.well-known/agent-skills/index.json'));
    return ((await response.json()) as { skills: readonly unknown[] }).skills.length;
  });
}

/** A client asks a new server for its first page of skills. */
async function mcpList(): Promise<PublishMeasurement> {
  const { client } = await connected();
  return await timed(async () => ((await client.request('skills/list', {})) as { skills: readonly unknown[] }).skills.length);
}

/** The same until it has them all, page by page. */
async function mcpDigests(): Promise<PublishMeasurement> {
  const { client, dispose } = await connected();
  const measured = await timed(async () => {
    let count = 0;
    let cursor: string | undefined;
    do {
      const page = (await client.request('skills/list', cursor === undefined ? {} : { cursor })) as {
        skills: readonly unknown[];
        nextCursor?: string;
      };
      count += page.skills.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return count;
  });
  await dispose();
  return measured;
}

/** Our own client reads small files one after another, through a pipe in memory, after it has listed and read some. */
async function mcpRead(): Promise<PublishMeasurement> {
  return await readSmallFiles((await connected()).provider);
}

/** The same by requests of streamable HTTP, without a socket between them. */
async function mcpReadHttp(): Promise<PublishMeasurement> {
  const { Client: McpClient, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { createMcpSkillsHandler } = await import('@repertoire/skill-mcp/server');
  const handler = createMcpSkillsHandler(await folders(), { profile: 'lenient' });
  const client = new McpClient({ name: 'benchmark', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const send = async (url: string | URL, init?: RequestInit) => await handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch: send }));
  return await readSmallFiles(client);
}

async function readSmallFiles(client: Client): Promise<PublishMeasurement> {
  const { mcpSkillProvider } = await import('@repertoire/skill-mcp');
  const read = mcpSkillProvider({ client });
  const { skills } = await read.listSkills();
  const names = skills.map(({ name }) => name).slice(0, work.reads);
  for (const name of names.slice(0, 20)) await read.readResource(name, 'SKILL.md', { maxBytes: 4_096 });
  return await timed(async () => {
    for (const name of names) await read.readResource(name, 'SKILL.md', { maxBytes: 4_096 });
    return names.length;
  });
}

async function folders(): Promise<SkillProvider> {
  const { fileSystemSkillProvider } = await import('@repertoire/skill-fs');
  return fileSystemSkillProvider({
    roots: [...work.roots],
    limits: { depth: 12 },
    ...(cacheFolder !== undefined && { digests: { folder: cacheFolder } }),
  });
}

/** A server and a client of the official SDK, at the two ends of a pipe in memory. */
async function connected(): Promise<{
  client: { request(method: string, params: Record<string, unknown>): Promise<unknown> };
  provider: Client;
  dispose: () => Promise<void>;
}> {
  const { Client: McpClient, InMemoryTransport } = await import('@modelcontextprotocol/client');
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { serveSkillsOverMcp } = await import('@repertoire/skill-mcp/server');
  const server = new McpServer({ name: 'benchmark', version: '1.0.0' });
  const provider = await folders();
  await serveSkillsOverMcp(server, provider, { profile: 'lenient' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new McpClient({ name: 'benchmark', version: '1.0.0' });
  await client.connect(near);
  const any = { '~standard': { version: 1, vendor: 'benchmark', validate: (value: unknown) => ({ value }) } } as const;
  return {
    client: { request: async (method, params) => await client.request({ method, params } as never, any as never, { timeout: 600_000 }) },
    provider: client,
    dispose: async () => await provider[Symbol.asyncDispose]?.(),
  };
}

async function timed(run: () => Promise<number>): Promise<PublishMeasurement> {
  // What a server has at hand when it listens: the platform loads both when they are first used.
  await new Response(await crypto.subtle.digest('SHA-256', new Uint8Array(1))).arrayBuffer();
  let [keptMs, keptCpuMs, ended] = [0, 0, false];
  let [last, lastCpu] = [performance.now(), threadCpuMs()];
  const tick = (): void => {
    const [now, cpu] = [performance.now(), threadCpuMs()];
    keptMs = Math.max(keptMs, now - last);
    keptCpuMs = Math.max(keptCpuMs, cpu - lastCpu);
    [last, lastCpu] = [now, cpu];
    if (!ended) setImmediate(tick);
  };
  // Without somebody else who wants the event loop, it would sleep between two answers of the disk.
  setImmediate(tick);
  const cpu = process.cpuUsage();
  const began = performance.now();
  const count = await run();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  ended = true;
  return { ms, cpuMs: (user + system) / 1_000, keptMs, keptCpuMs, count, peakRssMb: process.resourceUsage().maxRSS / 1_024 };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
