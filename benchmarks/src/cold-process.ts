/**
 * One fresh process of the cold benchmark: `node cold-process.ts <what> <folder> [<checkout>]` measures once and prints a line of JSON.
 * It imports built packages by their files, as a program that is deployed does.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
// Types only: what is measured is imported when its turn comes.
import type { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { createSkillset } from '@repertoire/skills-core';

/** What one process measured. Times in milliseconds; `null` where there is no such step. */
export interface ColdMeasurement {
  readonly importMs: number | null;
  readonly importCpuMs: number | null;
  readonly listMs: number;
  readonly listCpuMs: number;
  /** Of that, what the main thread had: on an idle computer, this is the time that a caller waits. */
  readonly listThreadMs: number;
  readonly catalogMs: number | null;
  readonly catalogCpuMs: number | null;
  readonly skills: number;
  /** The longest time that the event loop was kept while listing, and how much of it this thread had the processor. */
  readonly keptMs: number | null;
  readonly keptCpuMs: number | null;
}

interface Timed<Value> {
  readonly value: Value;
  readonly ms: number;
  readonly cpuMs: number;
  readonly threadMs: number;
}

interface SkillFs {
  readonly fileSystemSkillProvider: typeof fileSystemSkillProvider;
}

interface SkillsCore {
  readonly createSkillset: typeof createSkillset;
}

const none = {
  importMs: null,
  importCpuMs: null,
  catalogMs: null,
  catalogCpuMs: null,
  keptMs: null,
  keptCpuMs: null,
} as const;

const [what, folder = '', place = ''] = process.argv.slice(2);
const measurements: Readonly<Record<string, () => Promise<ColdMeasurement>>> = { floor, repertoire, 'event-loop': eventLoop };
const measure = measurements[what ?? ''];
if (measure === undefined) throw new Error(`Unknown measurement: ${what}`);
console.log(JSON.stringify(await measure()));
process.exit();

/** The least that finding skills can cost: find the files, and of each open, read 4 KiB, close. Nothing is looked at. */
async function floor(): Promise<ColdMeasurement> {
  const listed = await timed(() => {
    const buffer = Buffer.allocUnsafeSlow(4_096);
    const folders = [folder];
    let files = 0;
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        const inner = `${next}/${entry.name}`;
        if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') folders.push(inner);
        if (entry.name !== 'SKILL.md' || !entry.isFile()) continue;
        const descriptor = openSync(inner, 'r');
        readSync(descriptor, buffer, 0, buffer.length, 0);
        closeSync(descriptor);
        files += 1;
      }
    }
    return files;
  });
  return { ...none, listMs: listed.ms, listCpuMs: listed.cpuMs, listThreadMs: listed.threadMs, skills: listed.value };
}

async function repertoire(): Promise<ColdMeasurement> {
  const imported = await timed(() => importBuilt<SkillFs>('packages/skill-fs/dist/index.js'));
  const provider = imported.value.fileSystemSkillProvider({ roots: [folder] });
  const listed = await timed(() => provider.listSkills());
  const core = await importBuilt<SkillsCore>('packages/skills-core/dist/index.js');
  const catalog = await timed(async () => (await core.createSkillset({ provider }).open()).catalog.text);
  return {
    ...none,
    importMs: imported.ms,
    importCpuMs: imported.cpuMs,
    listMs: listed.ms,
    listCpuMs: listed.cpuMs,
    listThreadMs: listed.threadMs,
    catalogMs: catalog.ms,
    catalogCpuMs: catalog.cpuMs,
    skills: listed.value.skills.length,
  };
}

/** Lists while something else wants the event loop all the time, and takes the longest time that it had to wait. */
async function eventLoop(): Promise<ColdMeasurement> {
  const fileSystem = await importBuilt<SkillFs>('packages/skill-fs/dist/index.js');
  const provider = fileSystem.fileSystemSkillProvider({ roots: [folder] });
  let [keptMs, keptCpuMs, ended] = [0, 0, false];
  let [last, lastCpu] = [performance.now(), threadCpuMs()];
  const tick = (): void => {
    const [now, cpu] = [performance.now(), threadCpuMs()];
    keptMs = Math.max(keptMs, now - last);
    keptCpuMs = Math.max(keptCpuMs, cpu - lastCpu);
    [last, lastCpu] = [now, cpu];
    if (!ended) setImmediate(tick);
  };
  setImmediate(tick);
  const listed = await timed(() => provider.listSkills());
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  ended = true;
  return {
    ...none,
    listMs: listed.ms,
    listCpuMs: listed.cpuMs,
    listThreadMs: listed.threadMs,
    skills: listed.value.skills.length,
    keptMs,
    keptCpuMs,
  };
}

async function importBuilt<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(path.join(place, file)).href)) as Module;
}

async function timed<Value>(work: () => Value | Promise<Value>): Promise<Timed<Value>> {
  const cpu = process.cpuUsage();
  const thread = threadCpuMs();
  const began = performance.now();
  const value = await work();
  const ms = performance.now() - began;
  const threadMs = threadCpuMs() - thread;
  const { user, system } = process.cpuUsage(cpu);
  return { value, ms, cpuMs: (user + system) / 1_000, threadMs };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
