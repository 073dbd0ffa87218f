/**
 * What a bridge costs over the provider itself: listing 1,000 skills of a folder, and getting each of them with its `SKILL.md`. Prints medians in milliseconds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { tanstackSkillSource } from '@repertoire/bridges/tanstack';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { readListing, readSkillMd } from '@repertoire/skills-core/provider';
import { generateSkills } from './generate-skills.ts';
import { median } from './median.ts';

const count = 1_000;
const rounds = 11;

const folder = await mkdtemp(path.join(tmpdir(), 'repertoire-bench-'));
try {
  await generateSkills(folder, count);
  // What was written within two seconds counts as about to change, and is read again each time.
  await setTimeout(2_500);
  const provider = fileSystemSkillProvider({ roots: [folder], staleAfterMs: 60_000 });
  const source = tanstackSkillSource(provider);
  const names = (await readListing(provider)).skills.map(({ name }) => name);
  const work = {
    'list, provider': async () => void (await readListing(provider)),
    'list, bridge': async () => void (await source.list()),
    'get, provider': async () => {
      for (const name of names) {
        const skill = await provider.getSkill(name);
        if (skill !== null) await readSkillMd(provider, skill);
      }
    },
    'get, bridge': async () => {
      // A source of its own, so that nothing is kept from the round before.
      const fresh = tanstackSkillSource(provider);
      for (const name of names) await fresh.load(name);
    },
    'get again, bridge': async () => {
      for (const name of names) await source.load(name);
    },
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(work)) {
      const start = performance.now();
      await run();
      (times[name] ??= []).push(performance.now() - start);
    }
  }
  for (const [name, measured] of Object.entries(times)) console.log(`${name.padEnd(20)}${median(measured).toFixed(2).padStart(10)} ms`);
} finally {
  await rm(folder, { recursive: true });
}
