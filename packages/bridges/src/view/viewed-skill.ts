import { isTrusted, type Skill, type SkillMetadata } from '@repertoire/skills-core';
import { decodeText, type SkillResource, type SkillResourceEntry } from '@repertoire/skills-core/provider';
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

/** Level 1 for other frameworks: effects of untrusted skills are left out, and marked. */
export function viewedMetadata(skill: SkillMetadata): SkillMetadata {
  if (isTrusted(skill)) return skill;
  const { name, version, license, compatibility, origin } = skill;
  const text = (value: string): string => insideElement(oneLine(value));
  return {
    name,
    description: text(skill.description),
    version,
    ...(license !== undefined && { license: text(license) }),
    ...(compatibility !== undefined && { compatibility: text(compatibility) }),
    metadata: { trust: 'untrusted', source: text(origin?.label ?? 'unknown') },
    ...(origin !== undefined && { origin }),
  };
}

/** The instructions of an untrusted skill, in an element that tells whose they are. */
export function markedBody(skill: Skill): string {
  const attributes = { name: skill.name, source: skill.origin?.label, trust: 'untrusted' };
  return frame('skill_content', attributes, `${insideElement(skill.body)}\n\n${untrustedContentText}`);
}

/** A file of an untrusted skill: text in a marked element, other bytes unchanged. */
export function markedFile(skill: SkillMetadata, file: SkillResource): SkillResource {
  const text = decodeText(file.bytes);
  if (text === null) return file;
  const attributes = { skill: skill.name, path: file.path, source: skill.origin?.label, trust: 'untrusted' };
  const bytes = new TextEncoder().encode(`${frame('skill_file', attributes, insideElement(text))}\n${untrustedContentText}\n`);
  return { path: file.path, mediaType: file.mediaType, bytes, size: bytes.length };
}
