// Anything exported here is public API.
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import { decodeText, sha256Hex } from '@repertoire/skills-core/provider';
import { bridgeOptions, type BridgeArguments, type BridgeSource } from './view/bridge-options.ts';
import { missingPath, missingSkill } from './view/missing-path.ts';
import { skillView } from './view/skill-view.ts';
import type { ViewedSkill } from './view/viewed-skill.ts';

interface TanstackSkillMetadata {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  metadata?: Record<string, string>;
  allowedTools?: string[];
}

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
 * Skills as a `SkillSource` of TanStack AI, for the middleware `withSkills`. Read-only; scripts of
 * trusted skills are listed.
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
  assertKnownOptions('tanstackSkillSource', options, bridgeOptions);
  const view = skillView('tanstackSkillSource', 'TanStack AI', source, options);

  async function get(name: string): Promise<ViewedSkill> {
    const skill = await view.get(name);
    if (skill === null) throw missingSkill(name);
    return skill;
  }

  async function bytesOf(name: string, path: string, isScript: boolean): Promise<Uint8Array> {
    const entry = (await get(name)).files.find((file) => file.path === path && (file.kind === 'script') === isScript);
    const file = entry === undefined ? null : await view.read(name, path);
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
        ...(license !== undefined && { license }),
        ...(compatibility !== undefined && { compatibility }),
        ...(metadata !== undefined && { metadata: { ...metadata } }),
        ...(allowedTools !== undefined && { allowedTools: [...allowedTools] }),
      }));
    },
    load: async (name) => new TextDecoder().decode((await get(name)).skillMd),
    listResources: async (name) => (await get(name)).files.filter(({ kind }) => kind !== 'script').map(({ path }) => path),
    async readResource(name, path) {
      const bytes = await bytesOf(name, path, false);
      return decodeText(bytes) ?? bytes;
    },
    listScripts: async (name) =>
      (await get(name)).files
        .filter(({ kind }) => kind === 'script')
        .map(({ path }) => ({ path, executable: false, reason: 'no-runtime' as const })),
    readScript: (name, path) => bytesOf(name, path, true),
  };
}
