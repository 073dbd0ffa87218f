import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isResourceFolder } from '@repertoire/skills-core/internal';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import { isSkillFileName, isVisibleName } from './visible-names.ts';
import { walkFolders, type SkippedFolder, type Walk } from './walk-folder.ts';

/** Levels below a skipped folder that are looked at. */
const depth = 3;
const maxDirectories = 500;
const maxTold = 20;

/** Skills in folders that discovery does not look into. */
export interface SkippedSkills {
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether some lie deeper than `limits.depth`. */
  readonly tooDeep: boolean;
}

/** Looks whether skipped folders hold skills, to report them. Only looks a few levels deep. */
export async function findSkippedSkills(
  root: ResolvedSkillRoot,
  { skipped, walked }: Pick<Walk, 'skipped' | 'walked'>,
  { limits }: FileSystemSettings,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<SkippedSkills> {
  const diagnostics: SkillDiagnostic[] = [];
  let tooDeep = false;
  let left = maxDirectories;
  for (const { absolute, real, why } of skipped) {
    if (left <= 0 || diagnostics.length === maxTold) break;
    const walk = await walkFolders([{ absolute, real }], {
      depth,
      maxDirectories: left,
      links: 'none',
      boundary: real,
      acceptFolder: (name) => isVisibleName(name, true),
      acceptFile: isSkillFileName,
      leaveResources: isResourceFolder,
      signal,
      pace,
    });
    left -= Math.max(1, walk.directories.size);
    // A link may lead there.
    const first = walk.files.find(({ realFolder }) => !walked.has(realFolder));
    if (first === undefined) continue;
    tooDeep ||= why === 'depth';
    diagnostics.push(told(root, absolute, `${absolute}/${first.path}`, why, limits.depth));
  }
  return { diagnostics, tooDeep };
}

function told(root: ResolvedSkillRoot, folder: string, file: string, why: SkippedFolder['why'], maxDepth: number): SkillDiagnostic {
  const holds = `Folder ${JSON.stringify(folder)} holds skills, such as ${JSON.stringify(file)},`;
  if (why === 'name') {
    return {
      code: 'skills-in-hidden-folder',
      severity: 'info',
      message: `${holds} and is not looked into, because its name starts with a dot.`,
      path: folder,
      fix: 'Name it as a root of its own, or set hiddenFolders: true.',
    };
  }
  return {
    code: 'skills-too-deep',
    severity: 'warning',
    message: `${holds} and lies more than ${maxDepth} folders below the root ${JSON.stringify(root.path)}, so they are not listed.`,
    path: folder,
    fix: 'Raise limits.depth, or name a root that is nearer.',
  };
}
