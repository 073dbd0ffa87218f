/**
 * Measures a catalog over HTTP on loopback, beside the floor: one `fetch` of the same bytes, read to the end.
 *
 * Run by `pnpm bench --only http`. `runs` rounds, of which medians are taken; what is compared takes turns.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { httpSkillProvider } from '@repertoire/skill-http';
import { nodeListener } from '@repertoire/skill-http/node';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { generateSkills } from './generate-skills.ts';
import { median } from './median.ts';

/** What was measured. Times are medians, in milliseconds. */
export interface HttpMeasurement {
  readonly skills: number;
  readonly indexBytes: number;
  /** One fetch of the index, its bytes read. */
  readonly floorMs: number;
  /** The same, and `JSON.parse`. */
  readonly parsedMs: number;
  /** A new provider lists for the first time. */
  readonly coldMs: number;
  /** It lists again while the index is fresh: from memory. */
  readonly warmMs: number;
  /** It lists again after that, and the server answers 304. */
  readonly revalidatedMs: number;
  /** One conditional fetch that is answered with 304. */
  readonly conditionalMs: number;
  /** The handler reads, packs and hashes all skills, once. */
  readonly publishMs: number;
}

const warmUpRuns = 5;
const indexPath = '/.well-known/agent-skills/index.json';

/** Publishes so many generated skills, and reads them back. */
export async function measureHttp(count: number, runs: number): Promise<HttpMeasurement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'repertoire-bench-http-'));
  await generateSkills(folder, count);
  const handler = createSkillsHandler(fileSystemSkillProvider({ roots: [folder] }), { staleAfterMs: Number.POSITIVE_INFINITY });
  const server = createServer(nodeListener(handler));
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const publishMs = await timed(() => handler(new Request(url + indexPath)));
    return { ...(await measureReading(url, runs)), publishMs };
  } finally {
    server.closeAllConnections();
    server.close();
    await handler[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
}

async function measureReading(url: string, runs: number): Promise<Omit<HttpMeasurement, 'publishMs'>> {
  let time = 0;
  let [skills, indexBytes] = [0, 0];
  const etag = (await fetch(url + indexPath, { method: 'HEAD' })).headers.get('etag') ?? '';
  const times = {
    floor: [] as number[],
    parsed: [] as number[],
    cold: [] as number[],
    warm: [] as number[],
    revalidated: [] as number[],
    conditional: [] as number[],
  };
  const keep = (run: number, list: number[], milliseconds: number) => {
    if (run >= 0) list.push(milliseconds);
  };
  for (let run = -warmUpRuns; run < runs; run += 1) {
    keep(run, times.floor, await timed(async () => (indexBytes = (await (await fetch(url + indexPath)).arrayBuffer()).byteLength)));
    keep(run, times.parsed, await timed(async () => (await fetch(url + indexPath)).json()));
    const provider = httpSkillProvider({ url, allowHttp: true, allowPrivateAddresses: true, now: () => time });
    keep(run, times.cold, await timed(async () => (skills = (await provider.listSkills()).skills.length)));
    keep(run, times.warm, await timed(() => provider.listSkills()));
    time += 3_600_000;
    keep(run, times.revalidated, await timed(() => provider.listSkills()));
    keep(
      run,
      times.conditional,
      await timed(async () => (await fetch(url + indexPath, { headers: { 'if-none-match': etag } })).arrayBuffer()),
    );
  }
  return {
    skills,
    indexBytes,
    floorMs: median(times.floor),
    parsedMs: median(times.parsed),
    coldMs: median(times.cold),
    warmMs: median(times.warm),
    revalidatedMs: median(times.revalidated),
    conditionalMs: median(times.conditional),
  };
}

/** The numbers as lines for people. */
export function printHttp(results: readonly HttpMeasurement[], runs: number): void {
  console.log(`\nA catalog over HTTP on loopback (medians of ${runs} rounds after ${warmUpRuns} to warm up)\n`);
  for (const { skills, indexBytes, floorMs, parsedMs, coldMs, warmMs, revalidatedMs, conditionalMs, publishMs } of results) {
    console.log(`${skills} skills, an index of ${(indexBytes / 1024).toFixed(0)} KiB, published in ${publishMs.toFixed(0)} ms`);
    console.log(
      `  cold         ${coldMs.toFixed(2)} ms: ${(coldMs / floorMs).toFixed(2)} × one fetch of it (${floorMs.toFixed(2)} ms; ${parsedMs.toFixed(2)} ms with JSON.parse)`,
    );
    console.log(`  warm         ${warmMs.toFixed(2)} ms, from memory`);
    console.log(
      `  revalidated  ${revalidatedMs.toFixed(2)} ms: ${(revalidatedMs / conditionalMs).toFixed(2)} × one fetch that is answered 304 (${conditionalMs.toFixed(2)} ms)`,
    );
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
