import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pluginProvider } from '@repertoire/agent-plugins';
import { pluginFolders } from '@repertoire/agent-plugins/node';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { SkillProvider } from '@repertoire/skills-core';
import { generateSkills } from './generate-skills.ts';
import { median } from './median.ts';

/** What listing plugins costs, beside a folder of the same skills. In milliseconds. */
export interface PluginMeasurement {
  readonly plugins: number;
  /** A new provider each time, with the files in the cache of the system. */
  readonly cold: number;
  /** The same provider, which looks again at each call. */
  readonly revalidated: number;
  readonly folderCold: number;
  readonly folderRevalidated: number;
}

/** Measures so many plugins of one skill each. */
export async function measurePlugins(count: number, runs: number): Promise<PluginMeasurement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'repertoire-bench-'));
  try {
    await generateSkills(path.join(folder, 'skills'), count);
    await generateSkills(path.join(folder, 'made'), count);
    for (let index = 0; index < count; index += 1) {
      const skill = `skill-${String(index).padStart(5, '0')}`;
      const plugin = path.join(folder, 'plugins', `plugin-${index}`);
      await mkdir(path.join(plugin, 'skills'), { recursive: true });
      await rename(path.join(folder, 'made', skill), path.join(plugin, 'skills', skill));
      const manifest = { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', name: `plugin-${index}`, version: '1.0.0' };
      await writeFile(path.join(plugin, 'plugin.json'), JSON.stringify(manifest));
    }
    // What was written within two seconds counts as about to change, and is read again each time.
    await setTimeout(2_500);
    const plugins = () => pluginProvider({ roots: pluginFolders([path.join(folder, 'plugins')]), staleAfterMs: 0 });
    const skills = () => fileSystemSkillProvider({ roots: [path.join(folder, 'skills')], staleAfterMs: 0 });
    return {
      plugins: count,
      cold: await timed(plugins, runs, count),
      revalidated: await timedAgain(plugins(), runs),
      folderCold: await timed(skills, runs, count),
      folderRevalidated: await timedAgain(skills(), runs),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function printPlugins({ plugins, cold, revalidated, folderCold, folderRevalidated }: PluginMeasurement): void {
  const row = (what: string, first: number, again: number): string =>
    `${what.padEnd(32)} ${first.toFixed(0).padStart(6)} ms ${again.toFixed(0).padStart(6)} ms`;
  console.log(`\nListing ${plugins} plugins of one skill each: a new provider, and one that looks again`);
  console.log(row('agent-plugins', cold, revalidated));
  console.log(row('skill-fs, the same skills', folderCold, folderRevalidated));
}

async function timed(create: () => SkillProvider, runs: number, count: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    const { skills } = await create().listSkills();
    times.push(performance.now() - began);
    if (skills.length !== count) throw new Error(`${skills.length} skills were listed, and not ${count}.`);
  }
  return median(times);
}

async function timedAgain(provider: SkillProvider, runs: number): Promise<number> {
  await provider.listSkills();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await provider.listSkills();
    times.push(performance.now() - began);
  }
  return median(times);
}
