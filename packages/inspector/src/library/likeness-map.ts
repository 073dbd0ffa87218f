import { alikeSkills } from '@repertoire/skill-search/analysis';
import type { Skill } from '@repertoire/skills-core';
import { layoutIslands } from './layout-islands.ts';

/** A pair of skills with much the same words. */
export interface LikenessPair {
  readonly a: string;
  readonly b: string;
  /** From 0 to 1. */
  readonly likeness: number;
  /** The words that they share, what counts most first. */
  readonly shared: readonly string[];
}

/** A skill on the map. */
export interface LikenessNode {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Number of its island, from 0 for the largest; `null` for a skill that is like no other. */
  readonly island: number | null;
}

/** A library as a map: skills that are alike stand together. */
export interface LikenessMap {
  readonly nodes: readonly LikenessNode[];
  /** The most alike first. */
  readonly pairs: readonly LikenessPair[];
  /** The least likeness that makes two skills neighbors. */
  readonly least: number;
  /** What the larger islands are about: the words that most of their pairs share. */
  readonly islands: readonly { readonly island: number; readonly words: readonly string[] }[];
}

const least = 0.18;
/** From here on two skills are on one island. Below, almost everything is connected. */
const leastOfIsland = 0.3;
const mostPairs = 4_000;

/** Compares all descriptions, and puts alike skills next to each other. Deterministic. */
export async function likenessMap(skills: readonly Skill[]): Promise<LikenessMap> {
  const pairs = (await alikeSkills(skills, { least, limit: mostPairs })).map(({ skills: [a, b], likeness, shared }) => ({
    a,
    b,
    likeness,
    shared: shared.map(({ word }) => word),
  }));
  const nodes = layoutIslands(
    skills.map(({ name }) => name),
    pairs.filter(({ likeness }) => likeness >= leastOfIsland),
  );
  return { nodes, pairs, least, islands: islandWords(nodes, pairs) };
}

function islandWords(nodes: readonly LikenessNode[], pairs: readonly LikenessPair[]): LikenessMap['islands'] {
  const islandOf = new Map(nodes.map(({ name, island }) => [name, island]));
  const counts = new Map<number, Map<string, number>>();
  for (const { a, b, shared } of pairs) {
    const island = islandOf.get(a);
    if (island === null || island === undefined || island !== islandOf.get(b)) continue;
    const words = counts.get(island) ?? new Map<string, number>();
    counts.set(island, words);
    for (const [rank, word] of shared.slice(0, 4).entries()) words.set(word, (words.get(word) ?? 0) + 1 / (rank + 1));
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([island, words]) => ({
      island,
      words: [...words]
        .sort(([wordA, a], [wordB, b]) => b - a || (wordA < wordB ? -1 : 1))
        .slice(0, 2)
        .map(([word]) => word),
    }));
}
