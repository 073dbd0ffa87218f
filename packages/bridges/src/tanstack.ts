// Anything exported here is public API.
import { sha256Hex, decodeText } from '@repertoire/skills-core/provider';
import type { BridgeArguments, BridgeSource } from './view/bridge-options.ts';
import { missingPath, missingSkill } from './view/missing-path.ts';
import { skillView } from './view/skill-view.ts';
import { defined, type ViewedSkill } from './view/viewed-skill.ts';

/** Level 1, as TanStack AI has it. */
interface TanstackSkillMetadata {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  metadata?: Record<string, string>;
  allowedTools?: string[];
}

/** A script: it is listed, and not run. */
interface TanstackScript {
  path: string;
  executable: false;
  reason?: 'no-runtime';
}

/** A `SkillSource` of `withSkills`. Its methods need no `this`. */
export interface TanstackSkillSource {
  revision: () => Promise<string>;
  list: () => Promise<TanstackSkillMetadata[]>;
  load: (name: string) => Promise<string>;
  listResources: (name: string) => Promise<string[]>;
  readResource: (name: string, path: string) => Promise<string | Uint8Array>;
  listScripts: (name: string) => Promise<TanstackScript[]>;
  readScript: (name: string, path: string) => Promise<Uint8Array>;
}

/**
 * Offers skills as a `SkillSource` of TanStack AI, for the middleware `withSkills`. Read-only;
 * scripts of trusted skills are listed.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; the methods reject with
 *   `skill-not-found` and `resource-not-found`, and with what the source rejects with
 * @example
 * ```ts
 * import { tanstackSkillSource, type TanstackSkillSource } from '@repertoire/bridges/tanstack';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // chat({ …, middleware: [withSkills([sourceOf(skillset)])] })
 * export const sourceOf = (skillset: Skillset): TanstackSkillSource => tanstackSkillSource(skillset);
 * ```
 */
export function tanstackSkillSource<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context>
): TanstackSkillSource {
  const view = skillView('tanstackSkillSource', 'TanStack AI', source, options);

  async function get(name: string): Promise<ViewedSkill> {
    const skill = await view.get(name);
    if (skill === null) throw missingSkill(name);
    return skill;
  }

  async function pathsOf(name: string, areScripts: boolean): Promise<string[]> {
    return (await get(name)).files.filter(({ kind }) => (kind === 'script') === areScripts).map(({ path }) => path);
  }

  async function bytesOf(name: string, path: string, isScript: boolean): Promise<Uint8Array> {
    const file = (await pathsOf(name, isScript)).includes(path) ? await view.read(name, path) : null;
    if (file === null) throw missingPath(`${name}/${path}`);
    return file.bytes;
  }

  return {
    async revision() {
      const skills = await view.getAll();
      return await sha256Hex(JSON.stringify(await Promise.all(skills.map(async (skill) => [await sha256Hex(skill.skillMd), skill.files]))));
    },
    async list() {
      return (await view.list()).skills.map(({ name, description, license, compatibility, metadata, allowedTools }) => ({
        name,
        description,
        ...defined({ license, compatibility, metadata: metadata && { ...metadata }, allowedTools: allowedTools && [...allowedTools] }),
      }));
    },
    load: async (name) => new TextDecoder().decode((await get(name)).skillMd),
    listResources: (name) => pathsOf(name, false),
    async readResource(name, path) {
      const bytes = await bytesOf(name, path, false);
      return decodeText(bytes) ?? bytes;
    },
    listScripts: async (name) =>
      (await pathsOf(name, true)).map((path) => ({ path, executable: false as const, reason: 'no-runtime' as const })),
    readScript: (name, path) => bytesOf(name, path, true),
  };
}
