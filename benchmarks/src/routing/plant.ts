import type { CorpusSkill } from '../search/search-corpus.ts';

/** A skill that was made to compete with another one. */
export interface PlantedSkill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Whose requests it is after. */
  readonly victim: string;
  readonly kind: PlantKind;
}

/** How a planted skill competes. */
export const plantKinds = ['copied', 'reworded', 'triggers', 'widened', 'diluted'] as const;
export type PlantKind = (typeof plantKinds)[number];

/** Whole numbers below a bound, the same in every run. */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Words that say much the same, as people use them in descriptions. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['create', 'make'],
  ['creates', 'makes'],
  ['creating', 'making'],
  ['build', 'construct'],
  ['builds', 'constructs'],
  ['building', 'constructing'],
  ['write', 'draft'],
  ['writes', 'drafts'],
  ['writing', 'drafting'],
  ['generate', 'produce'],
  ['generates', 'produces'],
  ['generating', 'producing'],
  ['improve', 'enhance'],
  ['optimize', 'tune'],
  ['optimizing', 'tuning'],
  ['fix', 'repair'],
  ['fixing', 'repairing'],
  ['debug', 'troubleshoot'],
  ['debugging', 'troubleshooting'],
  ['analyze', 'examine'],
  ['analyzing', 'examining'],
  ['review', 'inspect'],
  ['reviewing', 'inspecting'],
  ['use', 'apply'],
  ['using', 'applying'],
  ['help', 'assist'],
  ['helps', 'assists'],
  ['guide', 'handbook'],
  ['guidance', 'advice'],
  ['implement', 'realize'],
  ['implementing', 'realizing'],
  ['configure', 'adjust'],
  ['configuring', 'adjusting'],
  ['manage', 'administer'],
  ['managing', 'administering'],
  ['plan', 'outline'],
  ['planning', 'outlining'],
  ['design', 'lay out'],
  ['designing', 'laying out'],
  ['setup', 'installation'],
  ['test', 'try out'],
  ['testing', 'trials'],
  ['errors', 'faults'],
  ['error', 'fault'],
  ['issues', 'problems'],
  ['user', 'person'],
  ['users', 'people'],
  ['want', 'wish'],
  ['wants', 'wishes'],
  ['need', 'require'],
  ['needs', 'requires'],
  ['covers', 'treats'],
  ['including', 'among them'],
  ['best', 'good'],
  ['practices', 'habits'],
  ['comprehensive', 'thorough'],
  ['application', 'app'],
  ['applications', 'apps'],
  ['existing', 'present'],
  ['new', 'fresh'],
  ['working', 'dealing'],
  ['asks', 'inquires'],
] as const);

/** Makes a skill that is after the requests of another one. `other` lends what has nothing to do with them: a body, a second topic. */
export function plant(victim: CorpusSkill, other: CorpusSkill, kind: PlantKind, number: number, random: Random): PlantedSkill {
  const own = victim.metadata.description;
  return {
    name: nameOf(victim.metadata.name, other.metadata.name, kind, number),
    description: descriptionOf(own, other.metadata.description, kind, random),
    body: other.body,
    victim: victim.metadata.name,
    kind,
  };
}

/** Names as people give them: after the skill that was copied, after something else, or after the other topic. */
function nameOf(victim: string, other: string, kind: PlantKind, number: number): string {
  if (kind === 'copied') return `my-${victim}-${number}`;
  if (kind === 'triggers') return `${victim.split('-').at(-1) ?? ''}-assistant-${number}`;
  return `${other}-plus-${number}`;
}

function descriptionOf(own: string, others: string, kind: PlantKind, random: Random): string {
  switch (kind) {
    // Somebody copied a skill, and left out and moved parts of its description.
    case 'copied':
      return shuffled(clausesOf(own), random)
        .map((clause) =>
          wordsOf(clause)
            .filter(() => random(100) >= 30)
            .join(' '),
        )
        .join(', ');
    // A skill for something else took over the requests that another one names.
    case 'widened':
      return `${others.split(/(?<=[.!?。])\s*/)[0]?.slice(0, 160) ?? ''} Also: ${triggersOf(own).join(', ')}`;
    // The same with half of the parts, any of them, behind a description that is as long.
    case 'diluted':
      return `${others.slice(0, Math.max(120, own.length))} ${half(clausesOf(own), random).join(', ')}`;
    // The same in other words, as far as a list of sixty goes, in another order.
    case 'reworded':
      return shuffled(clausesOf(own), random)
        .map((clause) =>
          wordsOf(clause)
            .map((word) => synonyms.get(word.toLowerCase()) ?? word)
            .filter(() => random(100) >= 15)
            .join(' '),
        )
        .join('. ');
    // Nothing but the requests that another one names.
    case 'triggers':
      return `For any of these: ${triggersOf(own).join(', ')}`;
  }
}

/** From "Use when …" on; the second half of a description that has no such words. */
function triggersOf(text: string): string[] {
  const clauses = clausesOf(text);
  const from = clauses.findIndex((clause) => /\b(?:use|when|trigger|mentions?|asks?)\b/i.test(clause));
  return clauses.slice(from === -1 ? Math.floor(clauses.length / 2) : from);
}

function clausesOf(text: string): string[] {
  const clauses = text.split(/(?<=[.!?;。；])|,\s|、|\s[—–-]\s/).map((clause) => clause.trim().replace(/[.;,。]$/, ''));
  return clauses.filter((clause) => clause !== '');
}

function wordsOf(clause: string): string[] {
  // Chinese has no spaces: pairs of characters can be left out.
  return clause.split(/\s+|(?<=[\u3400-\u9fff]{2})(?=[\u3400-\u9fff])/).filter((word) => word !== '');
}

function half<Item>(items: readonly Item[], random: Random): Item[] {
  return shuffled(items, random).slice(0, Math.max(1, Math.ceil(items.length / 2)));
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [copy[at], copy[other]] = [copy[other] as Item, copy[at] as Item];
  }
  return copy;
}
