import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SkillDiagnostic, SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';
import { isPluginProvider } from '../agent-plugin/plugins-of-source.ts';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import { findSkillFolders, type SkillFolder } from './find-skill-folders.ts';
import { FolderTree } from './folder-tree.ts';
import type { OpenedSource } from './open-source.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** A skill that a source serves. It has no folder that could be checked. */
export interface ServedSkill {
  readonly folder: null;
  /** The skill as people name it: `example.com/billing`. */
  readonly shown: string;
  readonly provider: SkillProvider;
  readonly metadata: SkillMetadata;
}

/** A skill to be checked, wherever it is. */
export type FoundSkill = SkillFolder | ServedSkill;

/** Every skill of opened sources, to be checked. */
export interface SkillsOfSource {
  /** In the order of the sources. */
  readonly skills: readonly FoundSkill[];
  /** What other sources say of skills that they cannot load, and what is wrong with plugins. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Finds skills in folders, also broken ones, and every listed version of other sources. */
export async function skillsOfSource(
  { parts }: Pick<OpenedSource, 'parts'>,
  { cwd, signal }: Pick<CommandIo, 'cwd' | 'signal'>,
  report: Pick<CommandReport, 'progress'>,
  tree: FolderTree = new FolderTree(),
): Promise<SkillsOfSource> {
  const skills: FoundSkill[] = [];
  const diagnostics: SkillDiagnostic[] = [];
  for (const { label, provider, roots } of parts) {
    if (roots !== null) {
      // The places where agents keep skills need not exist.
      const existing = await Promise.all(roots.map(async (root) => ((await stat(root).catch(() => null)) === null ? [] : [root])));
      skills.push(...(await findSkillFolders(existing.flat(), cwd, tree)));
      continue;
    }
    report.progress(`Listing the skills of ${label}…`);
    const listing = await readListing(provider, { signal });
    if (isPluginProvider(provider)) {
      const folders = (await provider.listPlugins({ signal })).flatMap(({ files: { uri } }) =>
        uri === undefined ? [] : [fileURLToPath(uri)],
      );
      // A plugin need not have skills. What is wrong with one, its file says.
      skills.push(...(await findSkillFolders(folders, cwd, tree)).filter(({ file }) => file !== null));
      diagnostics.push(...listing.diagnostics.filter(({ code }) => /^plugins?-/.test(code) && code !== 'plugin-skill-invalid'));
      continue;
    }
    diagnostics.push(...listing.diagnostics);
    for (const metadata of listing.skills) {
      const { name, version } = metadata;
      skills.push({ folder: null, shown: `${label}/${name}${version === null ? '' : `@${version}`}`, provider, metadata });
    }
  }
  return { skills, diagnostics };
}

/** Whether the skill lies in a folder, with all that a file system knows of it. */
export function isInFolder(skill: FoundSkill): skill is SkillFolder {
  return skill.folder !== null;
}

/**
 * The skills, if all of them lie in folders.
 *
 * @param option the option that needs folders, and why: `--fix changes files`
 * @throws {SkillError} `invalid-options` that names a source which is no folder
 */
export function inFolders(source: Pick<OpenedSource, 'parts'>, skills: SkillsOfSource['skills'], option: string): readonly SkillFolder[] {
  const other = source.parts.find(({ roots, plugins }) => roots === null && plugins === null);
  if (other === undefined) return skills.filter(isInFolder);
  throw wrongUsage(`${option}, and ${other.label} is no folder. Leave the option out, or give folders.`);
}
