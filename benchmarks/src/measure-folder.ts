import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { SkillProvider } from '@repertoire/skills-core';
import { floor } from './floor.ts';
import { median } from './median.ts';

/** What was measured of one folder. Times are medians, in milliseconds. */
export interface FolderMeasurement {
  readonly files: number;
  readonly skills: number;
  readonly runs: number;
  readonly floorMs: number;
  /** The very first listing of the process, once, with code that no compiler has seen yet. */
  readonly firstMs: number;
  /** A new provider lists for the first time. */
  readonly coldMs: number;
  /** The same provider lists again within `staleAfterMs`: from memory. */
  readonly warmMs: number;
  /** It lists again after `staleAfterMs`, and nothing has changed: by `stat`. */
  readonly revalidatedMs: number;
  /** Heap that a provider keeps for a skill, in bytes. */
  readonly heapPerSkill: number;
  /** Most memory that the process had, in megabytes. */
  readonly peakRssMb: number;
}

/** Rounds that warm up compiler and disk cache, for floor and provider alike. */
const warmUpRuns = 5;

const concurrency = 32;
const depth = 12;

/** Measures one folder in this process. Floor and provider take turns, so that a busy moment of the computer falls on both. */
export async function measureFolder(folder: string, runs: number): Promise<FolderMeasurement> {
  let time = 0;
  const newProvider = () => fileSystemSkillProvider({ roots: [folder], limits: { depth }, staleAfterMs: 1_000, now: () => time });
  const times = { floor: [] as number[], cold: [] as number[], warm: [] as number[], revalidated: [] as number[] };
  let files = 0;
  let skills = 0;

  // The heap is measured early, while there is little else on it, but after the first listing, whose compiled code is not counted for the skills.
  const first = newProvider();
  const firstMs = await timed(() => first.listSkills());
  const heap = await heapOf(newProvider());

  // Garbage is left to the engine: a full collection before each round would throw away what the compiler has learned, and measure that.
  for (let run = -warmUpRuns; run < runs; run += 1) {
    const floorMs = await timed(async () => (files = await floor(folder, concurrency, depth)));
    const provider = newProvider();
    const coldMs = await timed(async () => (skills = (await provider.listSkills()).skills.length));
    const warmMs = await timed(() => provider.listSkills());
    time += 1_000;
    const revalidatedMs = await timed(() => provider.listSkills());
    if (run < 0) continue;
    times.floor.push(floorMs);
    times.cold.push(coldMs);
    times.warm.push(warmMs);
    times.revalidated.push(revalidatedMs);
  }

  return {
    files,
    skills,
    runs,
    floorMs: median(times.floor),
    firstMs,
    coldMs: median(times.cold),
    warmMs: median(times.warm),
    revalidatedMs: median(times.revalidated),
    heapPerSkill: heap / Math.max(1, skills),
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function heapOf(provider: SkillProvider): Promise<number> {
  const before = heapUsed();
  await provider.listSkills();
  const after = heapUsed();
  // Asked once more, so that what it keeps is still there when the heap is measured.
  await provider.listSkills();
  return after - before;
}

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
