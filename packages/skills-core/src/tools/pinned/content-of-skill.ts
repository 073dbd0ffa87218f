import { identityOptions, skillKey } from '../../contract/skill-identity.ts';
import type { Skill, SkillCallOptions, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { readSkillMd } from '../../providers/digest/read-skill-md.ts';
import { sha256Hex } from '../../providers/digest/sha256-hex.ts';
import { isSha256Hex, skillDigestFromFileDigests } from '../../providers/digest/skill-digest.ts';

/**
 * The content of a skill that was fetched: what the source says, else computed from the digests of
 * its files; `null` for an unpinned skill. Of the files only `SKILL.md` is read.
 *
 * @throws what the provider rejects with
 */
export async function contentOfSkill(provider: SkillProvider, skill: Skill, { signal }: SkillCallOptions = {}): Promise<string | null> {
  if (skill.content === null) return null;
  if (skill.content !== undefined && isSha256Hex(skill.content)) return skill.content;
  const digests: [string, string][] = [];
  for (const { path, digest } of skill.resources) {
    if (path === 'SKILL.md') continue;
    if (digest === undefined || !isSha256Hex(digest)) return null;
    digests.push([path, digest]);
  }
  const { bytes } = await readSkillMd(provider, skill, { signal });
  return await skillDigestFromFileDigests(Object.fromEntries([['SKILL.md', await sha256Hex(bytes)], ...digests]));
}

/** The content that a listed skill has at this moment; `undefined` if it is gone. */
export async function presentContentOf(
  provider: SkillProvider,
  skill: SkillMetadata,
  options: SkillCallOptions,
): Promise<string | null | undefined> {
  const found = await provider.getSkill(skill.name, { ...identityOptions(skill), ...options });
  const isOther = found === null || skillKey(found) !== skillKey(skill);
  return isOther ? undefined : await contentOfSkill(provider, found, options);
}
