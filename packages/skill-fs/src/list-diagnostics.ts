import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isResourceFolder } from '@repertoire/skills-core/internal';
import type { ResourceList } from './list-resources.ts';
import type { IndexedSkill } from './merge-skills.ts';
import { isSkillFileName } from './visible-names.ts';
import type { WalkProblem } from './walk-folder.ts';

const mostAmong = 20;

/**
 * Errors for files that are left out of a skill's list, so that nobody publishes without them.
 * A `SKILL.md` among the files is information.
 */
export function listDiagnostics(
  { metadata, record }: IndexedSkill,
  { entries, truncated, problems, hardLinked }: ResourceList,
  limit: number,
): readonly SkillDiagnostic[] {
  const skill = metadata.name;
  const title = `Skill ${JSON.stringify(skill)}`;
  const at = (inner: string): string => path.join(path.dirname(record.file.path), inner);
  const among = entries.filter(
    ({ path: inner }) => isSkillFileName(path.posix.basename(inner)) && isResourceFolder(inner.split('/')[0] ?? ''),
  );
  const found = [
    ...problems.flatMap((problem) => problemReport(problem, skill, at(problem.path))),
    ...among.slice(0, mostAmong).map(({ path: inner }) => amongReport(inner, skill, at(inner))),
    ...hardLinked.map((inner) => hardLinkReport(skill, at(inner))),
  ];
  if (!truncated && problems.every(({ kind }) => kind !== 'truncated')) return found;
  const what = truncated ? `more than ${limit} files` : 'more folders than are looked into';
  const cut: SkillDiagnostic = {
    code: 'resources-truncated',
    severity: 'error',
    message: `${title} has ${what}; the list leaves the rest out, which can still be read.`,
    skill,
    path: record.file.path,
    fix: `Remove files that no agent reads, or raise limits.${truncated ? 'resources' : 'directories'}.`,
  };
  return [...found, cut];
}

function problemReport({ kind, detail }: WalkProblem, skill: string, at: string): SkillDiagnostic[] {
  const title = `Skill ${JSON.stringify(skill)}`;
  switch (kind) {
    case 'link-outside':
      return [
        {
          code: 'link-outside-skill',
          severity: 'error',
          message: `${title} has a link, ${at}, that leads out of its folder, to ${detail}, and is not followed.`,
          skill,
          path: at,
          fix: 'Put a copy in its place, or remove it.',
        },
      ];
    case 'unreadable':
      return [
        {
          code: 'folder-unreadable',
          severity: 'error',
          message: `${title} has a folder that cannot be read (${detail}), ${at}; files in it are not listed.`,
          skill,
          path: at,
          fix: 'Let this process read the folder, or remove it.',
        },
      ];
    // Broken links lose nothing, and too many folders are told with the files.
    default:
      return [];
  }
}

function amongReport(inner: string, skill: string, at: string): SkillDiagnostic {
  return {
    code: 'skill-among-resources',
    severity: 'info',
    message: `${JSON.stringify(inner)} lies among the resources of skill ${JSON.stringify(skill)}, so it is one of its files and no skill of its own.`,
    skill,
    path: at,
    fix: `Nothing, if it is an example or a template. Else move its folder out of ${JSON.stringify(inner.split('/')[0])}.`,
  };
}

function hardLinkReport(skill: string, at: string): SkillDiagnostic {
  return {
    code: 'hard-link-refused',
    severity: 'error',
    message: `Skill ${JSON.stringify(skill)} has a file with more than one hard link, ${at}, and hardLinks is "refuse".`,
    skill,
    path: at,
    fix: "Put a copy in its place, or set hardLinks: 'allow'.",
  };
}
