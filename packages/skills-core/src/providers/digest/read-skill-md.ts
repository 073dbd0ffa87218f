import type { ReadResourceOptions, Skill, SkillProvider } from '../../contract/skill-provider.ts';
import { identityOptions } from '../../contract/skill-identity.ts';
import { serializeSkillMd } from '../../format/serialize-skill-md.ts';
import { knownSkillMd } from './known-skill-md.ts';

/** The `SKILL.md` of a skill, as bytes. */
export interface SkillMdBytes {
  readonly bytes: Uint8Array;
  /**
   * Whether these are the author's own bytes. `false`: the source has none, and the canonical text
   * was written.
   */
  readonly isOriginal: boolean;
  /** SHA-256 of the bytes, if the source told it with them. */
  readonly digest?: string | undefined;
}

/**
 * Reads the `SKILL.md` of a skill: the exact bytes that the author wrote, or the canonical text if
 * the source has none. Everything that publishes, pins or signs skills works on these bytes. If
 * they came with the skill (`withBytes`), nothing is read.
 *
 * @param skill the skill, as `getSkill` of the same provider returned it
 * @param name the name to ask the provider for, if it differs from `skill.name`
 * @example
 * ```ts
 * import { readSkillMd } from '@repertoire/skills-core/provider';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export async function source(provider: SkillProvider, name: string): Promise<string | null> {
 *   const skill = await provider.getSkill(name);
 *   return skill === null ? null : new TextDecoder().decode((await readSkillMd(provider, skill)).bytes);
 * }
 * ```
 */
export async function readSkillMd(
  provider: SkillProvider,
  skill: Skill,
  { signal }: Pick<ReadResourceOptions, 'signal'> = {},
  name: string = skill.name,
): Promise<SkillMdBytes> {
  const bytes = skill.files?.['SKILL.md'];
  if (bytes !== undefined) {
    const digest = knownSkillMd(bytes)?.digest;
    return { bytes, isOriginal: true, ...(digest !== undefined && { digest }) };
  }
  const resource = await provider.readResource(name, 'SKILL.md', { ...identityOptions(skill), signal });
  if (resource !== null) {
    const { digest } = resource;
    return { bytes: resource.bytes, isOriginal: true, ...(digest !== undefined && { digest }) };
  }
  return { bytes: new TextEncoder().encode(serializeSkillMd(skill)), isOriginal: false };
}
