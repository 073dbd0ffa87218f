import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SkillMetadata } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import fastGlob from 'fast-glob';

/** A skill of the corpus. */
export interface CorpusSkill {
  readonly collection: string;
  readonly folder: string;
  readonly metadata: SkillMetadata;
  readonly body: string;
  /** The Markdown and plain text in its `references`, by path. */
  readonly references: readonly string[];
}

/** A prompt that somebody wrote for a skill, or to tell it from others. */
export interface CorpusPrompt {
  readonly prompt: string;
  /** The skill that should be found; `null` if its author only says which should not. */
  readonly skill: string | null;
  /** The skill that should not be found: the prompt stands beside it as one for others. */
  readonly not: string | null;
  readonly collection: string;
}

/** One library of all collections, one skill a name, and the prompts that its authors wrote. */
export interface SearchCorpus {
  readonly skills: readonly CorpusSkill[];
  readonly prompts: readonly CorpusPrompt[];
}

interface Eval {
  readonly prompt?: string;
  readonly query?: string;
  readonly should_trigger?: boolean;
  readonly expected_output?: string;
}

interface Evals {
  readonly skill_name?: string;
  readonly evals?: readonly Eval[];
}

/** How authors say in words that a prompt is for another skill, and mostly for which. */
const refusals = [/should not trigger/i, /defer to or cross-reference the `?([\w-]+)/i, /\broutes the (?:[\w-]+ ){1,4}to `?([\w-]+)/i];

/** Reads the corpus. Where several skills have one name, that with prompts is taken, else the first. */
export function readSearchCorpus(root: string): SearchCorpus {
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const all = fastGlob
    .sync('**/SKILL.md', { cwd: root, dot: true })
    .sort()
    .flatMap((file): CorpusSkill[] => {
      const { metadata, body } = parseSkillMd(read(file));
      if (metadata === null) return [];
      const folder = path.posix.dirname(file);
      const references = fastGlob.sync('{reference,references}/**/*.{md,txt}', { cwd: path.join(root, folder), dot: true }).sort();
      return [
        {
          collection: file.split('/')[0] ?? '',
          folder,
          metadata,
          body,
          references: references.map((name) => read(path.join(folder, name))),
        },
      ];
    });
  const owned = fastGlob
    .sync(['**/evals.json', '**/trigger-evals.json'], { cwd: root, dot: true })
    .sort()
    .flatMap((file) => {
      const written = JSON.parse(read(file)) as Evals | NonNullable<Evals['evals']>;
      const { skill_name: name, evals = [] } = 'length' in written ? { skill_name: undefined, evals: written } : written;
      const collection = file.split('/')[0] ?? '';
      const near = all.filter(({ folder }) => file.startsWith(`${folder}/`)).sort((a, b) => b.folder.length - a.folder.length);
      const owner = all.find((skill) => skill.collection === collection && skill.metadata.name === name) ?? near[0];
      if (owner === undefined) return [];
      return evals.flatMap((item) => {
        const prompt = item.prompt ?? item.query;
        return prompt === undefined ? [] : [{ prompt, owner, ...labelOf(item) }];
      });
    });
  const owners = new Set(owned.map(({ owner }) => owner));
  const byName = new Map<string, CorpusSkill>();
  for (const skill of [...owners, ...all]) if (!byName.has(skill.metadata.name)) byName.set(skill.metadata.name, skill);
  const prompts = owned.map(({ prompt, owner, isFor, instead }) => ({
    prompt,
    skill: isFor ? owner.metadata.name : instead !== null && byName.has(instead) ? instead : null,
    not: isFor ? null : owner.metadata.name,
    collection: owner.collection,
  }));
  return {
    skills: [...byName.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
    prompts,
  };
}

function labelOf({ should_trigger: triggers, expected_output: expected = '' }: Eval): {
  readonly isFor: boolean;
  readonly instead: string | null;
} {
  const refusal = refusals.map((pattern) => pattern.exec(expected)).find((found) => found !== null);
  return { isFor: triggers !== false && refusal === undefined, instead: refusal?.[1] ?? null };
}
