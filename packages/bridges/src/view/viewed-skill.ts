import { isTrusted, type Skill, type SkillMetadata } from '@repertoire/skills-core';
import { type SkillResource, type SkillResourceEntry, decodeText } from '@repertoire/skills-core/provider';
import { frame, insideElement, oneLine, untrustedContentText } from '@repertoire/skills-core/internal';

/** A skill as a bridge serves it. */
export interface ViewedSkill {
  /** Level 1; of an untrusted skill only what has no effect. */
  readonly metadata: SkillMetadata;
  /** The instructions, as text. */
  readonly body: string;
  /** `SKILL.md`: the author's bytes, or the marked text of an untrusted skill. */
  readonly skillMd: Uint8Array;
  /** The files that can be read; of an untrusted skill without its scripts. */
  readonly files: readonly SkillResourceEntry[];
}

/**
 * Level 1 as a bridge lists it. Fields of an untrusted skill that other frameworks act on are left
 * out, and its metadata tells whose it is.
 */
export function viewedMetadata(skill: SkillMetadata): SkillMetadata {
  if (isTrusted(skill)) return skill;
  const { name, version, license, compatibility, origin } = skill;
  const text = (value: string): string => insideElement(oneLine(value));
  return {
    name,
    description: text(skill.description),
    version,
    ...defined({ license: license && text(license), compatibility: compatibility && text(compatibility), origin }),
    metadata: { trust: 'untrusted', source: text(origin?.label ?? 'unknown') },
  };
}

/**
 * The text of bytes that are exactly its UTF-8; `null` for all others. A byte order mark or another
 * encoding would get lost.
 */
export function exactText(bytes: Uint8Array): string | null {
  const text = decodeText(bytes);
  const again = text === null ? null : new TextEncoder().encode(text);
  // Text of UTF-16 may be as long in UTF-8, but never begins with the same byte.
  return again?.length === bytes.length && again[0] === bytes[0] ? text : null;
}

/** The fields that have a value: other frameworks look whether a field is there. */
export function defined<Fields extends object>(fields: Fields): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** The instructions of an untrusted skill, in an element that tells whose they are. */
export function markedBody(skill: Skill): string {
  const attributes = { name: skill.name, source: skill.origin?.label, trust: 'untrusted' };
  return frame('skill_content', attributes, `${insideElement(skill.body)}\n\n${untrustedContentText}`);
}

/**
 * A file of an untrusted skill: text in an element that tells whose it is, other bytes as they are.
 */
export function markedFile(skill: SkillMetadata, file: SkillResource): SkillResource {
  const text = decodeText(file.bytes);
  if (text === null) return file;
  const attributes = { skill: skill.name, path: file.path, source: skill.origin?.label, trust: 'untrusted' };
  const bytes = new TextEncoder().encode(`${frame('skill_file', attributes, insideElement(text))}\n${untrustedContentText}\n`);
  return { path: file.path, mediaType: file.mediaType, bytes, size: bytes.length };
}
