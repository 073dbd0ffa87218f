import { isDeepStrictEqual } from 'node:util';
import { SkillError, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { readListing, readSkillMd, type SkillCallOptions, decodeText } from '@repertoire/skills-core/provider';
import { memoryProposalStore } from '@repertoire/skill-proposals';
import { checkChange, type NewlyAllowed, type ProposalFinding } from '@repertoire/skill-proposals/check';
import { createTwoFilesPatch } from 'diff';

/** How a field of level 1 changed. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Whether the field says what the skill may do, or who may start it. */
  readonly isPermission: boolean;
}

/** How one file changed. */
export interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** A unified diff; `null` for files that are not text, or are too large to be compared. */
  readonly patch: string | null;
}

/** How one skill differs between two sources. */
export interface SkillDifference {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly fields: readonly FieldChange[];
  readonly files: readonly FileChange[];
  /** What it newly asks for. */
  readonly allows: readonly NewlyAllowed[];
  /** What its texts newly have that a person should have read. */
  readonly risks: readonly ProposalFinding[];
}

const permissionFields: ReadonlySet<string> = new Set([
  'allowedTools',
  'tools',
  'autoActivate',
  'disableModelInvocation',
  'userInvocable',
  'model',
  'context',
  'agent',
  'steps',
  'fields.hooks',
]);

const maxTextBytes = 256 * 1024;
/** Texts that differ in more lines than this have nothing in common that is worth a patch. */
const maxEditLength = 2_000;

/**
 * Compares the newest version of each skill of two sources: fields, files, text.
 *
 * @param only compares this skill alone
 */
export async function diffSkills(
  before: SkillProvider,
  after: SkillProvider,
  only: string | undefined,
  { signal }: SkillCallOptions = {},
): Promise<SkillDifference[]> {
  const [left, right] = await Promise.all([newest(before, only, signal), newest(after, only, signal)]);
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  const differences: SkillDifference[] = [];
  for (const name of names) {
    signal?.throwIfAborted();
    const [old, now] = [left.get(name), right.get(name)];
    const fields = fieldChanges(old, now);
    const [was, is] = [
      old === undefined ? new Map<string, Uint8Array>() : await filesOf(before, name, signal),
      now === undefined ? new Map<string, Uint8Array>() : await filesOf(after, name, signal),
    ];
    const files = fileChanges(was, is);
    if (old !== undefined && now !== undefined && fields.length === 0 && files.length === 0) continue;
    const { allows, findings: risks } = await checkChange(memoryProposalStore(), {
      skill: name,
      before: Object.fromEntries(was),
      after: Object.fromEntries(is),
    });
    differences.push({
      name,
      change: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed',
      fields,
      files,
      allows,
      risks,
    });
  }
  return differences;
}

async function newest(
  provider: SkillProvider,
  only: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Map<string, SkillMetadata>> {
  const { skills } = await readListing(provider, { signal });
  const found = new Map<string, SkillMetadata>();
  for (const skill of skills) {
    if (!found.has(skill.name) && (only === undefined || skill.name === only)) found.set(skill.name, skill);
  }
  return found;
}

/** Of a skill that came or went, only the permissions are told: the rest is in its files. */
function fieldChanges(old: SkillMetadata | undefined, now: SkillMetadata | undefined): FieldChange[] {
  const [before, after] = [fieldsOf(old), fieldsOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const isPermission = permissionFields.has(field);
    // Sources make objects with and without a prototype; a clone always has one.
    if (isDeepStrictEqual(structuredClone(before.get(field)), structuredClone(after.get(field)))) return [];
    if ((old === undefined || now === undefined) && !isPermission) return [];
    return [{ field, before: before.get(field) ?? null, after: after.get(field) ?? null, isPermission }];
  });
}

function fieldsOf(skill: SkillMetadata | undefined): Map<string, unknown> {
  const entries = Object.entries(skill ?? {}).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'origin' || key === 'name' || value === undefined) return [];
    if (key !== 'fields') return [[key, value]];
    return Object.entries(value as object).map(([field, inner]) => [`fields.${field}`, inner]);
  });
  return new Map(entries);
}

async function filesOf(provider: SkillProvider, name: string, signal: AbortSignal | undefined): Promise<Map<string, Uint8Array>> {
  const skill = await provider.getSkill(name, { signal });
  const files = new Map<string, Uint8Array>();
  if (skill === null) return files;
  files.set('SKILL.md', (await readSkillMd(provider, skill, { signal })).bytes);
  for (const { path } of skill.resources) {
    const file = await provider.readResource(name, path, { version: skill.version, signal });
    // A file that is listed and not there would look like one that was removed.
    if (file === null)
      throw new SkillError('source-unavailable', `${path} of ${name} is listed and cannot be read. Try again.`, { skill: name, path });
    files.set(path, file.bytes);
  }
  return files;
}

function fileChanges(before: ReadonlyMap<string, Uint8Array>, after: ReadonlyMap<string, Uint8Array>): FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path): FileChange[] => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old !== undefined && now !== undefined && Buffer.compare(old, now) === 0) return [];
    return [{ path, change: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed', patch: patchOf(path, old, now) }];
  });
}

function patchOf(path: string, old: Uint8Array | undefined, now: Uint8Array | undefined): string | null {
  const [before, after] = [textOf(old), textOf(now)];
  if (before === null || after === null) return null;
  const patch = createTwoFilesPatch(
    old === undefined ? '/dev/null' : `a/${path}`,
    now === undefined ? '/dev/null' : `b/${path}`,
    before,
    after,
    undefined,
    undefined,
    { context: 3, maxEditLength },
  );
  return patch ?? null;
}

function textOf(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return '';
  return bytes.length > maxTextBytes ? null : decodeText(bytes);
}
