import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { skeletonsOf, visibleName } from '@repertoire/skills-core/internal';
import { compareSkills } from '@repertoire/skills-core/provider';
import type { DiscoveredRoot } from './discover-skill-files.ts';
import type { DiskPace } from './disk-pace.ts';
import { realFolderOf, type SkillFileRecord } from './skill-file-record.ts';

/** A root with what was read in it. */
export interface ScannedRoot extends DiscoveredRoot {
  /** One for each of `files`, in their order. */
  readonly records: readonly SkillFileRecord[];
  /** The records of when it could be read last; `null` where it never could. */
  readonly lastRead: readonly SkillFileRecord[] | null;
}

/** A skill that is listed. */
export interface IndexedSkill {
  /** Level 1 with its origin. Deep-frozen. */
  readonly metadata: SkillMetadata;
  readonly record: SkillFileRecord;
  readonly root: ScannedRoot;
}

/** All roots seen as one source. */
export interface MergedSkills {
  /** In the contract's order. */
  readonly skills: readonly IndexedSkill[];
  /** The same by name, newest version first. */
  readonly byName: ReadonlyMap<string, readonly IndexedSkill[]>;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Merges roots: trusted ones first, the first root with a name owns all of its versions, and a
 * folder that several roots reach counts once. Done in slices.
 */
export async function mergeSkills(roots: readonly ScannedRoot[], pace: DiskPace): Promise<MergedSkills> {
  const diagnostics: SkillDiagnostic[] = [...sharedLabels(roots)];
  const seenFolders = new Set<string>();
  let skillFolders: ReadonlySet<string> | undefined;
  const byName = new Map<string, IndexedSkill[]>();
  const found: IndexedSkill[] = [];

  for (const root of roots) {
    diagnostics.push(...root.diagnostics);
    for (const record of cardsFirst(root.records)) {
      if (pace.isSliceOver) await pace.rest();
      const folder = realFolderOf(record);
      if (seenFolders.has(folder)) {
        if (record.home !== undefined && record.metadata !== null) diagnostics.push(sharedFolder(record, folder));
        continue;
      }
      seenFolders.add(folder);
      if (!record.framed && record.signature !== null) {
        skillFolders ??= new Set(roots.flatMap(({ records }) => records.filter(({ framed }) => framed).map(realFolderOf)));
        if (isBelow(record.file.realFolder, skillFolders)) {
          diagnostics.push(phaseFile(record));
          continue;
        }
      }
      diagnostics.push(...record.diagnostics);
      if (record.metadata === null) continue;
      found.push({ metadata: record.metadata, record, root });
    }
  }
  const away = trustedRootsAway(roots);
  // Trusted roots first: whatever their order, no root without trust takes a name from one.
  for (const skill of found.some(({ root }) => !root.root.trusted) ? found.toSorted(byTrust) : found) {
    const { name, version } = skill.metadata;
    const keeper = skill.root.root.trusted ? undefined : away(name);
    if (keeper !== undefined) {
      diagnostics.push(withheld(skill, keeper));
      continue;
    }
    const namesakes = byName.get(name);
    if (namesakes === undefined) {
      byName.set(name, [skill]);
      continue;
    }
    const winner = namesakes[0]?.root === skill.root ? namesakes.find(({ metadata }) => metadata.version === version) : namesakes[0];
    if (winner === undefined) namesakes.push(skill);
    else diagnostics.push(winner.root === skill.root ? duplicate(winner, skill) : shadowed(winner, skill));
  }
  const skills: IndexedSkill[] = [];
  // No comparison function: UTF-16 order is the contract's, and faster.
  for (const name of [...byName.keys()].sort()) {
    const versions = byName.get(name) ?? [];
    if (versions.length > 1) versions.sort((a, b) => compareSkills(a.metadata, b.metadata));
    skills.push(...versions);
  }
  diagnostics.push(...(await lookAlikes(skills, pace)));
  return { skills, byName, diagnostics };
}

/** A label must not stand for trusted and untrusted roots. */
function sharedLabels(roots: readonly ScannedRoot[]): SkillDiagnostic[] {
  const labels = new Set(roots.map(({ root }) => root.label));
  return [...labels].flatMap((label): SkillDiagnostic[] => {
    const own = roots.filter(({ root }) => root.label === label);
    const foreign = own.find(({ root }) => !root.trusted)?.root;
    if (foreign === undefined || own.every(({ root }) => !root.trusted)) return [];
    return [
      {
        code: 'roots-share-label',
        severity: 'warning',
        message: `Roots with the label ${JSON.stringify(label)} differ in trust: ${JSON.stringify(foreign.path)} is not trusted, and another one is.`,
        path: foreign.path,
        fix: "Give the root that is not trusted a label of its own: { path, label: 'market', trusted: false }.",
      },
    ];
  });
}

function byTrust(a: IndexedSkill, b: IndexedSkill): number {
  return Number(b.root.root.trusted) - Number(a.root.root.trusted);
}

/** The trusted root that is away and may own a name. */
function trustedRootsAway(roots: readonly ScannedRoot[]): (name: string) => ScannedRoot | undefined {
  const away = roots
    .filter(({ root, state, lastRead }) => root.trusted && (state === 'unreadable' || (state === 'missing' && lastRead !== null)))
    .map((root) => ({ root, names: root.lastRead && new Set(root.lastRead.flatMap(({ metadata }) => metadata?.name ?? [])) }));
  return (name) => away.find(({ names }) => names === null || names.has(name))?.root;
}

/** A card is the manifest of the folder that it leads to, also if that has a SKILL.md. */
function cardsFirst(records: readonly SkillFileRecord[]): readonly SkillFileRecord[] {
  const isCard = ({ home }: SkillFileRecord): boolean => home !== undefined;
  return records.some(isCard) ? [...records.filter(isCard), ...records.filter((record) => !isCard(record))] : records;
}

function isBelow(folder: string, folders: ReadonlySet<string>): boolean {
  for (let slash = folder.lastIndexOf('/'); slash > 0; slash = folder.lastIndexOf('/', slash - 1)) {
    if (folders.has(folder.slice(0, slash))) return true;
  }
  return false;
}

function sharedFolder({ file, metadata }: SkillFileRecord, folder: string): SkillDiagnostic {
  return {
    code: 'skill-duplicate',
    severity: 'warning',
    message: `The card ${JSON.stringify(file.path)} leads to ${JSON.stringify(folder)}, which is the folder of another skill. It is not listed.`,
    skill: metadata?.name,
    path: file.path,
    fix: 'Give each skill a folder of its own.',
  };
}

function phaseFile({ file }: SkillFileRecord): SkillDiagnostic {
  return {
    code: 'phase-file',
    severity: 'info',
    message: `${JSON.stringify(file.path)} has no frontmatter and lies in a skill, so it is taken for one of its files.`,
    path: file.path,
    fix: 'Nothing, unless it was meant as a skill of its own: then give it a frontmatter with name and description.',
  };
}

function shadowed(winner: IndexedSkill, loser: IndexedSkill): SkillDiagnostic {
  return {
    code: 'skill-shadowed',
    severity: 'warning',
    message: `Skill "${loser.metadata.name}" in ${JSON.stringify(loser.record.file.folder)} is hidden by ${JSON.stringify(winner.record.file.folder)}, whose root ${winner.root.root.trusted && !loser.root.root.trusted ? 'is trusted' : 'comes before it'}.`,
    skill: loser.metadata.name,
    path: loser.record.file.path,
    fix: 'Rename one of them, remove one, or change the order of the roots.',
  };
}

function withheld({ metadata, record }: IndexedSkill, keeper: ScannedRoot): SkillDiagnostic {
  return {
    code: 'skill-withheld',
    severity: 'error',
    message: `Skill "${metadata.name}" in ${JSON.stringify(record.file.folder)}, which is not trusted, is left out: root ${JSON.stringify(keeper.root.path)} cannot be read now, and the name may be its own.`,
    skill: metadata.name,
    path: record.file.path,
    fix: 'Bring the folder back, or leave the root out.',
  };
}

function duplicate(winner: IndexedSkill, loser: IndexedSkill): SkillDiagnostic {
  const { name, version } = loser.metadata;
  return {
    code: 'skill-duplicate',
    severity: 'warning',
    message: `Skill "${name}"${version === null ? '' : ` of version ${version}`} in ${JSON.stringify(loser.record.file.folder)} is not listed: ${JSON.stringify(winner.record.file.folder)} has the same name and version.`,
    skill: name,
    path: loser.record.file.path,
    fix: 'Rename one of them, remove one, or give them different versions.',
  };
}

const namesAtOnce = 1_024;

/** Names that a person or a model takes for one another. */
async function lookAlikes(skills: readonly IndexedSkill[], pace: DiskPace): Promise<SkillDiagnostic[]> {
  const byLook = new Map<string, IndexedSkill>();
  const diagnostics: SkillDiagnostic[] = [];
  const note = (skill: IndexedSkill, look: string): void => {
    const { name } = skill.metadata;
    const other = byLook.get(look);
    if (other === undefined) byLook.set(look, skill);
    else if (other.metadata.name !== name) {
      diagnostics.push({
        code: 'skill-look-alike',
        severity: 'warning',
        message: `Skill ${visibleName(name)} looks like ${visibleName(other.metadata.name)} in ${JSON.stringify(other.record.file.folder)}.`,
        skill: name,
        path: skill.record.file.path,
        fix: 'Give them names that can be told apart.',
      });
    }
  };
  for (let start = 0; start < skills.length; start += namesAtOnce) {
    if (pace.isSliceOver) await pace.rest();
    const some = skills.slice(start, start + namesAtOnce);
    const looks = skeletonsOf(some.map(({ metadata }) => metadata.name));
    some.forEach((skill, index) => note(skill, looks[index] ?? ''));
  }
  return diagnostics;
}
