/**
 * One round of the rows about HTTP and MCP: `node measure-site.ts <plan as JSON>` starts fresh servers on a folder and reads from them. Figures of the floor
 * are measured in turn, by the same process.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { httpSkillProvider } from '@repertoire/skill-http';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { spreadOf } from './statistics.ts';

/** What such a process is told. */
export interface SitePlan {
  readonly folder: string;
  readonly loads: readonly string[];
  readonly files: readonly (readonly [string, string])[];
  readonly output: string;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as SitePlan;
const rows: Record<string, number> = {};
const floors: Record<string, number> = {};
const servers: ChildProcess[] = [];
const indexPath = '/.well-known/agent-skills/index.json';

try {
  await measureHttp();
  await measureMcp();
  writeFileSync(plan.output, JSON.stringify({ rows, floors }));
} finally {
  for (const server of servers) server.kill();
}
process.exit();

async function measureHttp(): Promise<void> {
  floors['http-first-index'] = Number(await start('hash'));
  const bytes = `http://127.0.0.1:${await start('bytes')}`;
  const url = `http://127.0.0.1:${await start('http')}`;
  // The first request of a process loads what later ones use.
  await (await fetch(bytes, { method: 'POST', body: '' })).arrayBuffer();

  let index = new ArrayBuffer(0);
  rows['http-first-index'] = await timed(async () => (index = await (await fetch(url + indexPath)).arrayBuffer()));
  await (await fetch(`${bytes}/index`, { method: 'POST', body: index })).arrayBuffer();
  const floor = async (): Promise<unknown> => await (await fetch(`${bytes}/index`)).arrayBuffer();
  const listings: number[] = [];
  const listingFloors: number[] = [];
  floors['http-later-index'] = await repeated(floor, 10);
  rows['http-later-index'] = await repeated(async () => await (await fetch(url + indexPath)).arrayBuffer(), 10);

  let provider = httpSkillProvider({ url, allowHttp: true, allowPrivateAddresses: true });
  for (let round = 0; round < 5; round += 1) {
    listingFloors.push(await timed(async () => await (await fetch(`${bytes}/index`)).json()));
    provider = httpSkillProvider({ url, allowHttp: true, allowPrivateAddresses: true });
    listings.push(await timed(() => provider.listSkills()));
  }
  [rows['http-first-listing'], floors['http-first-listing']] = [listings[0] ?? 0, listingFloors[0] ?? 0];
  floors['http-later-listing'] = await repeated(floor, 10);
  rows['http-later-listing'] = await repeated(() => provider.listSkills(), 10);

  const loads: number[] = [];
  const loadFloors: number[] = [];
  for (const name of plan.loads) {
    let body = '';
    loads.push(await timed(async () => (body = (await provider.getSkill(name))?.body ?? '')));
    if (body === '') throw new Error(`The skill ${name} was not fetched.`);
    await (await fetch(`${bytes}/${name}`, { method: 'POST', body })).arrayBuffer();
    loadFloors.push(await timed(async () => await (await fetch(`${bytes}/${name}`)).arrayBuffer()));
  }
  rows['http-load'] = spreadOf(loads).median;
  floors['http-load'] = spreadOf(loadFloors).median;
}

async function measureMcp(): Promise<void> {
  const url = new URL(`http://127.0.0.1:${await start('mcp')}/mcp`);
  const client = new Client({ name: 'benchmark', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(new StreamableHTTPClientTransport(url));
  const ping = async (): Promise<unknown> => await client.ping();
  floors['mcp-first-listing'] = await timed(ping);

  const provider = mcpSkillProvider({ label: 'benchmark', client, profile: 'lenient', timeoutMs: 60_000 });
  rows['mcp-first-listing'] = await timed(() => provider.listSkills());
  floors['mcp-later-listing'] = await repeated(ping, 10);
  rows['mcp-later-listing'] = await repeated(() => provider.listSkills(), 10);
  const loads: number[] = [];
  const pings: number[] = [];
  for (const name of plan.loads) {
    let isThere = false;
    pings.push(await timed(ping));
    loads.push(await timed(async () => (isThere = (await provider.getSkill(name)) !== null)));
    if (!isThere) throw new Error(`The skill ${name} was not read over MCP.`);
  }
  rows['mcp-load'] = spreadOf(loads).median;
  floors['mcp-load'] = spreadOf(pings).median;
  if (plan.files.length === 0) return;
  const reads: number[] = [];
  const filePings: number[] = [];
  for (const [name, file] of plan.files) {
    filePings.push(await timed(ping));
    reads.push(await timed(async () => await provider.readResource(name, file)));
  }
  rows['mcp-file'] = spreadOf(reads).median;
  floors['mcp-file'] = spreadOf(filePings).median;
}

/** Starts a server in a process of its own, and gives the line that it prints. */
async function start(kind: string): Promise<string> {
  const program = path.join(import.meta.dirname, 'serve.ts');
  const server = spawn(process.execPath, [program, kind, plan.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(server);
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  return line;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function repeated(work: () => Promise<unknown>, times: number): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < times; round += 1) measured.push(await timed(work));
  return spreadOf(measured).median;
}
