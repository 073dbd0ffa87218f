import { Buffer } from 'node:buffer';
import { hashText } from '@repertoire/skills-core/internal';
import type { BridgeArguments, BridgeSource } from '../view/bridge-options.ts';
import { missingPath } from '../view/missing-path.ts';
import { skillTree } from '../view/skill-tree.ts';
import { skillView } from '../view/skill-view.ts';
import { defined, exactText } from '../view/viewed-skill.ts';

/** What Mastra asks of a file or a folder. */
export interface MastraSkillStat {
  name: string;
  type: 'file' | 'directory';
  size: number;
  createdAt: Date;
  modifiedAt: Date;
  mimeType?: string;
}

/** One line of a folder. */
export interface MastraSkillEntry {
  name: string;
  type: 'file' | 'directory';
}

/** A `SkillSource` of `@mastra/core/workspace`. */
export interface MastraSkillSource {
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<MastraSkillStat>;
  readFile(path: string): Promise<string | Buffer>;
  readdir(path: string): Promise<MastraSkillEntry[]>;
  realpath(path: string): Promise<string>;
}

/**
 * Offers skills as a `SkillSource` of a Mastra workspace, with the skills folder `/`. Read-only.
 * Text that is UTF-8 is given as text, other bytes as a buffer.
 *
 * Mastra looks for changes at most every 30 seconds, by the time of the folders: here that is when
 * the library was last seen to change.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist; the methods reject with
 *   `resource-not-found` for what is not there
 * @example
 * ```ts
 * import { mastraSkillSource } from '@repertoire/bridges/mastra';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // new Workspace({ …workspaceOptions(skillset) }) of '@mastra/core/workspace'
 * export const workspaceOptions = (skillset: Skillset) => ({ skillSource: mastraSkillSource(skillset), skills: ['/'] });
 * ```
 */
export function mastraSkillSource<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context>
): MastraSkillSource {
  const view = skillView('mastraSkillSource', 'Mastra', source, options);
  const tree = skillTree(view);
  let seen = { digest: '', at: new Date() };

  async function changedAt(): Promise<Date> {
    const { skills } = await view.list();
    const digest = hashText(JSON.stringify(skills));
    if (digest !== seen.digest) seen = { digest, at: seen.digest === '' ? seen.at : new Date() };
    return seen.at;
  }

  return {
    exists: async (path) => (await tree.stat(path)) !== null,
    async stat(path) {
      const [entry, modifiedAt] = [await tree.stat(path), await changedAt()];
      if (entry === null) throw missingPath(path);
      const { name, isFolder, size = 0, mediaType: mimeType } = entry;
      const type = isFolder ? 'directory' : 'file';
      return { name, type, size, createdAt: modifiedAt, modifiedAt, ...defined({ mimeType }) };
    },
    async readFile(path) {
      const file = await tree.read(path);
      if (file === null) throw missingPath(path);
      return exactText(file.bytes) ?? Buffer.from(file.bytes);
    },
    async readdir(path) {
      const entries = await tree.list(path);
      if (entries === null) throw missingPath(path);
      return entries.map(({ name, isFolder }) => ({ name, type: isFolder ? 'directory' : 'file' }));
    },
    realpath: async (path) => path,
  };
}
