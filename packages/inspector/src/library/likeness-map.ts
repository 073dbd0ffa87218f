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
}

const least = 0.18;
const mostPairs = 4_000;

/** Compares the descriptions of all skills, by which a model chooses, and puts those that are alike next to each other. The same skills give the same map. */
export async function likenessMap(skills: readonly Skill[]): Promise<LikenessMap> {
  const pairs = (await alikeSkills(skills, { least, limit: mostPairs })).map(({ skills: [a, b], likeness, shared }) => ({
    a,
    b,
    likeness,
    shared: shared.map(({ word }) => word),
  }));
  const nodes = layoutIslands(
    skills.map(({ name }) => name),
    pairs,
  );
  return { nodes, pairs, least };
}
