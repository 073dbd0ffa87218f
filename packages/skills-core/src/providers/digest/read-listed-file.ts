import type { ReadResourceOptions, Skill, SkillProvider, SkillResource, SkillResourceEntry } from '../../contract/skill-provider.ts';

/** What a skill that is about to be copied should bring along, see `GetSkillOptions.withBytes`. */
export const bytesToCopy = 4_194_304;

/**
 * One listed file of a skill: the bytes that came with the skill, or else what the source reads
 * now.
 *
 * @param name the name to ask the provider for, if it differs from `skill.name`
 */
export async function readListedFile(
  provider: SkillProvider,
  skill: Skill,
  { path, mediaType, digest }: SkillResourceEntry,
  { signal, maxBytes }: Pick<ReadResourceOptions, 'signal' | 'maxBytes'> = {},
  name: string = skill.name,
): Promise<SkillResource | null> {
  const bytes = skill.files !== undefined && Object.hasOwn(skill.files, path) ? skill.files[path] : undefined;
  if (bytes === undefined) return await provider.readResource(name, path, { version: skill.version, signal, maxBytes });
  signal?.throwIfAborted();
  const cut = maxBytes === undefined || bytes.length <= maxBytes ? bytes : bytes.subarray(0, maxBytes);
  return { path, mediaType, size: bytes.length, bytes: cut, ...(digest !== undefined && { digest }) };
}
