import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';

/** A folder with skills, a single skill, or its `SKILL.md`, and what the host says of it. */
export interface SkillRoot {
  /** Absolute, relative to the working directory, from the home (`~/skills`), or a `file:` URL. */
  readonly path: string | URL;
  /** Names the root in the origin of its skills. @default the provider's label */
  readonly label?: string | undefined;
  /** Whether the host trusts what lies in it. @default what the provider's option `trusted` says */
  readonly trusted?: boolean | undefined;
  /** Whether it may be missing without a warning. @default false */
  readonly optional?: boolean | undefined;
}

/** A root with an absolute path and every default filled in. */
export interface ResolvedSkillRoot {
  readonly path: string;
  /** Its name, which the places of its skills begin with: the same on every machine. */
  readonly place: string;
  readonly label: string;
  readonly trusted: boolean;
  readonly optional: boolean;
}

const knownOptions: OptionRules<SkillRoot> = {
  path: { string: true, '{}': true },
  label: 'string',
  trusted: 'boolean',
  optional: 'boolean',
};

/**
 * Resolves what the host wrote to absolute paths, each once. Roots with one label and one name get
 * `name~2` and so on, by their order.
 *
 * @throws {SkillError} `invalid-options` without roots, or for one that names no folder
 */
export function resolveSkillRoots(
  roots: readonly (string | URL | SkillRoot)[],
  defaults: { readonly label: string; readonly trusted: boolean },
): readonly ResolvedSkillRoot[] {
  if (!Array.isArray(roots)) {
    throw new SkillError(
      'invalid-options',
      `Option "roots" of fileSystemSkillProvider is ${JSON.stringify(roots) ?? 'missing'}, which is no list. ${
        typeof roots === 'string' ? `Write [${JSON.stringify(roots)}].` : "Give the folders of your skills, such as ['./skills']."
      }`,
    );
  }
  const resolved = new Map<string, ResolvedSkillRoot>();
  const counts = new Map<string, number>();
  for (const root of roots as readonly (string | URL | SkillRoot)[]) {
    const given: SkillRoot = typeof root === 'object' && root !== null && !(root instanceof URL) ? root : { path: root };
    if (!(root instanceof URL)) assertKnownOptions('A root of fileSystemSkillProvider', given, knownOptions);
    const named = absolutePath(given.path);
    // Who names the file of a skill means the skill.
    const absolute = path.basename(named) === 'SKILL.md' ? path.dirname(named) : named;
    if (resolved.has(absolute)) continue;
    const label = given.label ?? defaults.label;
    // The root of a disk has no name.
    const name = path.basename(absolute).normalize('NFC') || 'root';
    const key = JSON.stringify([label, name]);
    const namesakes = (counts.get(key) ?? 0) + 1;
    counts.set(key, namesakes);
    resolved.set(absolute, {
      path: absolute,
      place: namesakes === 1 ? name : `${name}~${namesakes}`,
      label,
      trusted: given.trusted ?? defaults.trusted,
      optional: given.optional ?? false,
    });
  }
  return [...resolved.values()];
}

/** @throws {SkillError} `invalid-options` for what names no folder */
export function absolutePath(given: unknown): string {
  try {
    if (given instanceof URL || (typeof given === 'string' && given.startsWith('file:'))) return path.resolve(fileURLToPath(given));
  } catch (cause) {
    throw new SkillError(
      'invalid-options',
      `Root ${JSON.stringify(String(given))} is no file URL. Only folders of this computer can be roots.`,
      { cause },
    );
  }
  if (typeof given !== 'string' || given === '' || given.includes('\0')) {
    throw new SkillError('invalid-options', `Root ${JSON.stringify(given)} names no folder. Give a path or a file URL.`);
  }
  if (given === '~' || given.startsWith('~/') || given.startsWith('~\\')) return path.resolve(homedir(), given.slice(2));
  return path.resolve(given);
}
