/** One fresh process: `node measure-search.ts <plan as JSON>` indexes a folder with one contender and asks it every prompt once. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { PeerModule } from './peer.ts';
import type { SearchLibrary } from './search-library.ts';
import { spreadOf } from './statistics.ts';

/** What such a process is told. */
export interface SearchPlan {
  readonly peer: string;
  readonly folder: string;
  /** A file with a {@link SearchLibrary}. */
  readonly library: string;
  /** How long prompts may take together. Whoever is slower is asked fewer of them. */
  readonly seconds: number;
  readonly output: string;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as SearchPlan;
const { prompts } = JSON.parse(readFileSync(plan.library, 'utf8')) as SearchLibrary;
const { importPeer } = (await import(`../peers/${plan.peer}/peer.ts`)) as PeerModule;
const { importSearch, openSearch } = await importPeer();
await importSearch?.();
if (openSearch === undefined) throw new Error('It has no search.');

const began = performance.now();
const search = await openSearch(plan.folder);
const ranks: number[] = [];
const times: number[] = [];
const ends = began + plan.seconds * 1_000;
for (const { prompt, skill } of spread(prompts)) {
  if (performance.now() > ends) break;
  const asked = performance.now();
  const found = await search(prompt, 5);
  times.push(performance.now() - asked);
  if (times.length === 1) times[0] = performance.now() - began;
  ranks.push(found.indexOf(skill));
}
const share = (isGood: (rank: number) => boolean): number => (100 * ranks.filter(isGood).length) / ranks.length;
const rows = {
  'search-index': times[0],
  'search-query': spreadOf(times.slice(1)).median,
  'search-first': share((rank) => rank === 0),
  'search-five': share((rank) => rank >= 0),
};
const remark =
  ranks.length < prompts.length
    ? `It was asked ${ranks.length} of the ${prompts.length} prompts, from all parts of the list, as it takes long.`
    : undefined;
writeFileSync(plan.output, JSON.stringify({ rows, remark }));
process.exit();

/** All items, in an order in which the first ones come from everywhere. */
function spread<Item>(items: readonly Item[]): readonly Item[] {
  const step = 89;
  return items.map((_, index) => items[(index * step) % items.length]).filter((item) => item !== undefined);
}
