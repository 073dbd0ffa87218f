import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findCollisions } from '@repertoire/skill-search/analysis';
import { routeLibrary } from '../../../packages/cli/src/routing/route-library.ts';
import type { EvalItem } from '../../../packages/cli/src/evals/eval-item.ts';
import { readSearchCorpus, type CorpusSkill, type SearchCorpus } from '../search/search-corpus.ts';
import { plant, plantKinds, seeded, shuffled, type PlantKind } from './plant.ts';

/**
 * How many planted collisions `repertoire test` finds, what else it reports, and how long it takes for a library of about 1,000 skills.
 *
 *   pnpm bench:routing                        seeds that nothing was tuned with
 *   pnpm bench:routing --seeds 1,2,3          others
 *   pnpm bench:routing --pairs                with the published pairs that are reported, to be judged by a reader
 *
 * Of the published skills, 200 are held back. 200 collisions are planted on the others, 50 of each kind that counts; 50 more are of a kind that is told beside,
 * since half of what they say has nothing to do with their victim. Then the 200 are added. A planted skill is found if it is reported with its victim. Of
 * those that were held back, each that is reported with any published skill counts as falsely reported, whether or not both claim the same.
 *
 * The thresholds of `findCollisions` were chosen with the half of the skills that `isOfTuning` names and with seeds below 100. The figures of the other half are
 * printed apart.
 */
const corpusFolder = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const perKind = 50;
const heldBack = 200;

/** Half of the skills, by a hash of their names. */
function isOfTuning(name: string): boolean {
  return createHash('sha256').update(name).digest().readUInt8() % 2 === 0;
}

interface Tally {
  readonly planted: number;
  readonly found: number;
  readonly added: number;
  readonly reported: number;
}

interface Outcome {
  /** Of all skills, and of those that were not tuned with. */
  readonly all: Tally;
  readonly fresh: Tally;
  readonly byKind: Readonly<Record<PlantKind, number>>;
  readonly skills: number;
  readonly cpuSeconds: number;
  readonly pairs: readonly string[];
}

function measured(skill: CorpusSkill): { readonly name: string; readonly description: string; readonly body: string } {
  return { ...skill.metadata, body: skill.body };
}

async function runOnce(corpus: SearchCorpus, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const withPrompts = new Set(corpus.prompts.map(({ skill, not }) => not ?? skill));
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
  const cpu = process.cpuUsage();
  const routing = await routeLibrary(all, itemsOf(corpus));
  const { user, system } = process.cpuUsage(cpu);

  const pairs = new Set(routing.collisions.map(({ skills }) => key(...skills)));
  const diluted = planted.filter(({ kind }) => kind === 'diluted');
  const beside = new Set((await findCollisions([...base.map(measured), ...diluted])).map(({ skills }) => key(...skills)));
  const isFound = ({ kind, name, victim }: (typeof planted)[number]): boolean =>
    (kind === 'diluted' ? beside : pairs).has(key(name, victim));
  const names = new Set(base.map(({ metadata }) => metadata.name));
  const rivalsOf = (name: string): string[] =>
    routing.collisions.flatMap(({ skills: [a, b] }) => (a === name && names.has(b) ? [b] : b === name && names.has(a) ? [a] : []));
  const tally = (isCounted: (name: string) => boolean): Tally => {
    const plantedHere = counting.filter(({ victim }) => isCounted(victim));
    const addedHere = controls.filter(({ metadata }) => isCounted(metadata.name));
    return {
      planted: plantedHere.length,
      found: plantedHere.filter(isFound).length,
      added: addedHere.length,
      reported: addedHere.filter(({ metadata }) => rivalsOf(metadata.name).length > 0).length,
    };
  };
  return {
    all: tally(() => true),
    fresh: tally((name) => !isOfTuning(name)),
    byKind: Object.fromEntries(
      plantKinds.map((kind) => [kind, planted.filter((each) => each.kind === kind && isFound(each)).length]),
    ) as Outcome['byKind'],
    skills: all.length,
    cpuSeconds: (user + system) / 1e6,
    pairs: controls.flatMap(({ metadata: { name } }) => rivalsOf(name).map((rival) => [name, rival].sort().join(' = '))),
  };
}

function itemsOf({ prompts }: SearchCorpus): EvalItem[] {
  return prompts.map(({ prompt, skill, not }, index) => ({
    id: String(index),
    prompt,
    skill: not ?? skill ?? '',
    shouldTrigger: not === null,
    expectedOutput: undefined,
    files: [],
    assertions: [],
    file: '',
  }));
}

function key(a: string, b: string): string {
  return JSON.stringify([a, b].sort());
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;
}

function print(title: string, { planted, found, added, reported }: Tally): void {
  console.log(`${title.padEnd(22)} found ${share(found, planted).padEnd(22)} falsely reported ${share(reported, added)}`);
}

function sum(tallies: readonly Tally[]): Tally {
  const total = (field: keyof Tally): number => tallies.reduce((all, tally) => all + tally[field], 0);
  return { planted: total('planted'), found: total('found'), added: total('added'), reported: total('reported') };
}

const { values } = parseArgs({ options: { seeds: { type: 'string' }, pairs: { type: 'boolean' } } });
const seeds = (values.seeds ?? '101,102,103,104,105,106,107,108,109,110').split(',').map(Number);
if (existsSync(corpusFolder)) {
  const corpus = readSearchCorpus(corpusFolder);
  const outcomes: Outcome[] = [];
  for (const seed of seeds) {
    const outcome = await runOnce(corpus, seed);
    outcomes.push(outcome);
    print(`seed ${seed}`, outcome.all);
    console.log(
      `  of 50 each: ${plantKinds.map((kind) => `${kind} ${outcome.byKind[kind]}`).join(', ')} (told beside); ${outcome.cpuSeconds.toFixed(2)} s of CPU for ${outcome.skills} skills`,
    );
  }
  console.log('');
  print('all seeds', sum(outcomes.map(({ all }) => all)));
  print('half not tuned with', sum(outcomes.map(({ fresh }) => fresh)));
  if (values.pairs === true) console.log(`\n${[...new Set(outcomes.flatMap(({ pairs }) => pairs))].sort().join('\n')}`);
} else console.log('The corpus of published skills is not beside the project (../shared/corpus); there is nothing to measure.');
