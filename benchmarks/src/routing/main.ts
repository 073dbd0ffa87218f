import { existsSync } from 'node:fs';
import path from 'node:path';
import { findCollisions } from '../../../packages/cli/src/routing/find-collisions.ts';
import { routeLibrary } from '../../../packages/cli/src/routing/route-library.ts';
import type { EvalItem } from '../../../packages/cli/src/evals/eval-item.ts';
import { readSearchCorpus, type CorpusSkill } from '../search/search-corpus.ts';
import { plant, plantKinds, seeded, shuffled, type PlantKind } from './plant.ts';

/**
 * How many planted collisions `repertoire test` finds, what else it reports, and how long it takes for a library of about 1,000 skills.
 *
 * Of the published skills, 200 are held back. 200 collisions are planted on the others, 50 of each kind that counts; 50 more are of a kind that is told beside,
 * since half of what they say has nothing to do with their victim. Then the 200 are added. A planted skill is found if it is reported with its victim. Of
 * those that were held back, each that is reported with any skill is printed: whether two published skills really claim the same is for a reader to judge.
 */
const corpusFolder = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const perKind = 50;
const heldBack = 200;

function measured(skill: CorpusSkill): { readonly name: string; readonly description: string; readonly body: string } {
  return { ...skill.metadata, body: skill.body };
}

async function runOnce(seed: number): Promise<void> {
  const corpus = readSearchCorpus(corpusFolder);
  const random = seeded(seed);
  const withPrompts = new Set(corpus.prompts.map(({ skill }) => skill));
  const controls = shuffled(corpus.skills, random)
    .filter(({ metadata }) => !withPrompts.has(metadata.name))
    .slice(0, heldBack);
  const base = corpus.skills.filter((skill) => !controls.includes(skill));
  const victims = shuffled(base, random).slice(0, perKind * plantKinds.length);
  const planted = victims.map((victim, number) => {
    const other = base[random(base.length)] ?? victim;
    return plant(victim, other, plantKinds[number % plantKinds.length] ?? 'copied', number, random);
  });
  const counting = planted.filter(({ kind }) => kind !== 'diluted');
  const all = [...base.map(measured), ...controls.map(measured), ...counting];
  const items: EvalItem[] = corpus.prompts.map(({ prompt, skill }, index) => ({
    id: String(index),
    prompt,
    skill,
    shouldTrigger: true,
    expectedOutput: undefined,
    files: [],
    assertions: [],
    file: '',
  }));
  const cpu = process.cpuUsage();
  const began = performance.now();
  const routing = await routeLibrary(all, items);
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);

  const pairs = new Set(routing.collisions.map(({ skills }) => key(...skills)));
  const diluted = planted.filter(({ kind }) => kind === 'diluted');
  const beside = new Set((await findCollisions([...base.map(measured), ...diluted])).map(({ skills }) => key(...skills)));
  const found = (kind: PlantKind): number =>
    planted.filter((each) => each.kind === kind && (kind === 'diluted' ? beside : pairs).has(key(each.name, each.victim))).length;
  const names = new Set(base.map(({ metadata }) => metadata.name));
  const flagged = controls.flatMap(({ metadata: { name } }) => {
    const rivals = routing.collisions.flatMap(({ skills: [a, b] }) =>
      a === name && names.has(b) ? [b] : b === name && names.has(a) ? [a] : [],
    );
    return rivals.length === 0 ? [] : [`${name} = ${rivals.join(', ')}`];
  });
  const kinds = plantKinds.filter((kind) => kind !== 'diluted');
  const total = kinds.reduce((sum, kind) => sum + found(kind), 0);
  console.log(`\nSeed ${seed}: ${all.length} skills, ${items.length} requests`);
  console.log(`  planted collisions found: ${total} of ${counting.length} (${((100 * total) / counting.length).toFixed(1)} %)`);
  for (const kind of plantKinds)
    console.log(`    ${kind.padEnd(10)} ${found(kind)} of ${perKind}${kind === 'diluted' ? '  (told beside)' : ''}`);
  console.log(`  of ${controls.length} published skills that were added, reported with another published one: ${flagged.length}`);
  for (const line of flagged) console.log(`    ${line}`);
  console.log(`  time: ${(wallMs / 1000).toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of CPU`);
}

function key(a: string, b: string): string {
  return JSON.stringify([a, b].sort());
}

if (existsSync(corpusFolder)) for (const seed of [1, 2, 3]) await runOnce(seed);
else console.log('The corpus of published skills is not beside the project (../shared/corpus); there is nothing to measure.');
