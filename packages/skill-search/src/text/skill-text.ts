import type { SkillMetadata } from '@repertoire/skills-core';
import { withoutReferrals } from './without-referrals.ts';

/** The searched parts of a skill. */
export interface SkillText {
  readonly name: string;
  /** The description, `when_to_use`, and tags. */
  readonly description: string;
  /** The Markdown of the skill; empty if it has not been read. */
  readonly body: string;
  /** The text of its references; empty if they are not searched. */
  readonly references: string;
}

/** Maximum UTF-16 units of each part. The rest is not searched. */
export const longestText: { readonly name: number; readonly description: number; readonly body: number; readonly references: number } = {
  name: 256,
  description: 8_192,
  body: 65_536,
  references: 262_144,
};

const tagKeys: ReadonlySet<string> = new Set([
  'tag',
  'tags',
  'keyword',
  'keywords',
  'trigger',
  'triggers',
  'category',
  'categories',
  'domain',
]);

/** The searched texts of a skill, each cut to its limit. */
export function skillText(skill: Omit<SkillMetadata, 'version'>, body: string, references = ''): SkillText {
  const about = [skill.description, skill.whenToUse ?? ''].map((text) => withoutReferrals(text.slice(0, longestText.description)));
  return {
    name: skill.name.slice(0, longestText.name),
    description: [...about, ...tagsOf(skill)]
      .filter((part) => part !== '')
      .join('\n')
      .slice(0, longestText.description),
    body: body.slice(0, longestText.body),
    references: references.slice(0, longestText.references),
  };
}

/**
 * Returns the values of `tags`, `keywords`, `triggers`, `category` and `domain`. Strings split at
 * commas.
 */
export function tagsOf(skill: Omit<SkillMetadata, 'version'>): string[] {
  const values: unknown[] = [];
  for (const fields of [skill.metadata, skill.fields]) {
    for (const [key, value] of Object.entries(fields ?? {})) if (tagKeys.has(key.toLowerCase())) values.push(value);
  }
  return values
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .flatMap((value) => (typeof value === 'string' ? value.slice(0, longestText.description).split(',') : []))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
