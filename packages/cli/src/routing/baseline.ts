import { isJsonObject } from '@repertoire/skills-core/internal';
import type { SkillCollision } from '@repertoire/skill-search/analysis';
import type { LibraryRouting } from './route-library.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** How a library answered before. */
export interface RoutingBaseline {
  readonly skills: readonly string[];
  readonly prompts: readonly { readonly skill: string; readonly prompt: string; readonly first: string | null }[];
  readonly collisions: readonly (readonly [string, string])[];
}

/** A request that went to the right skill before, and goes to another one now. */
export interface TakenPrompt {
  readonly skill: string;
  readonly prompt: string;
  readonly by: string;
  /** Whether the other skill is new. */
  readonly isNew: boolean;
  readonly words: readonly string[];
}

/** What became worse. */
export interface RoutingRegressions {
  readonly taken: readonly TakenPrompt[];
  readonly collisions: readonly SkillCollision[];
}

const format = 'repertoire-routing-1';

/** The routing of a library as a baseline to compare later ones with. */
export function baselineOf({ skills, prompts, collisions }: LibraryRouting): RoutingBaseline {
  return {
    skills,
    prompts: prompts.filter(({ shouldTrigger }) => shouldTrigger).map(({ skill, prompt, first }) => ({ skill, prompt, first })),
    collisions: collisions.map(({ skills: pair }) => pair),
  };
}

/** A baseline as a file: one line for each prompt, so that a change of it can be reviewed. */
export function serializeBaseline({ skills, prompts, collisions }: RoutingBaseline): string {
  const lines = (entries: readonly unknown[]): string => entries.map((entry) => `\n    ${JSON.stringify(entry)}`).join(',');
  return `{\n  "format": "${format}",\n  "skills": ${JSON.stringify(skills)},\n  "prompts": [${lines(prompts)}\n  ],\n  "collisions": [${lines(collisions)}\n  ]\n}\n`;
}

/**
 * Reads what {@link serializeBaseline} wrote; `null` for other JSON.
 *
 * @throws {SkillError} `invalid-options` for a damaged baseline
 */
export function parseBaseline(json: unknown, file: string): RoutingBaseline | null {
  if (!isJsonObject(json) || json['format'] !== format) return null;
  const { skills, prompts, collisions } = json;
  const isWhole =
    isList(skills, (name) => typeof name === 'string') &&
    isList(prompts, (entry) => isJsonObject(entry) && typeof entry['skill'] === 'string' && typeof entry['prompt'] === 'string') &&
    isList(collisions, (pair) => isList(pair, (name) => typeof name === 'string'));
  if (!isWhole) throw wrongUsage(`The baseline ${file} is damaged. Write it again with --write-baseline.`, { path: file });
  return json as unknown as RoutingBaseline;
}

/** Finds what a change made worse. Requests that are new or failed before do not count. */
export function compareRouting(before: RoutingBaseline, after: LibraryRouting): RoutingRegressions {
  const known = new Set(before.skills);
  const right = new Set(before.prompts.filter(({ skill, first }) => skill === first).map(({ skill, prompt }) => keyOf(skill, prompt)));
  const rivals = new Set(before.collisions.map(([a, b]) => pairKey(a, b)));
  return {
    taken: after.prompts.flatMap(({ skill, prompt, first, words, shouldTrigger }) => {
      if (!shouldTrigger || first === null || first === skill || !right.has(keyOf(skill, prompt))) return [];
      return [{ skill, prompt, by: first, isNew: !known.has(first), words }];
    }),
    collisions: after.collisions.filter(({ skills: [a, b] }) => !rivals.has(pairKey(a, b))),
  };
}

function keyOf(skill: string, prompt: string): string {
  return JSON.stringify([skill, prompt]);
}

function pairKey(a: string, b: string): string {
  return JSON.stringify([a, b].sort());
}

function isList(value: unknown, isEntry: (entry: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isEntry);
}
