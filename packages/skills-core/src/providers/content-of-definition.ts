import type { SkillDefinition, SkillResourceSource } from '../contract/define-skill.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { serializeSkillMd } from '../format/serialize-skill-md.ts';
import { sha256Hex } from './digest/sha256-hex.ts';
import { isSha256Hex, skillDigestFromFileDigests } from './digest/skill-digest.ts';

/** What a skill in code consists of. */
export interface DefinedContent {
  /** SHA-256 of each file that is a text, bytes, or comes with a digest, by path. */
  readonly digests: ReadonlyMap<string, string>;
  /** As {@link SkillMetadata.content}. */
  readonly content: string | null;
}

/**
 * Hashes what a definition holds. It calls no function: a body or a file that is made by one has no
 * digest, and the skill is unpinned then, unless the definition tells its content.
 *
 * @param served level 1 and the body as they are served, which the canonical `SKILL.md` is made of
 */
export async function contentOfDefinition(
  { body, resources = {}, skillMd, content }: SkillDefinition,
  served: SkillMetadata & { readonly body: string },
): Promise<DefinedContent> {
  const digests = new Map<string, string>();
  for (const [path, source] of Object.entries(resources)) {
    const digest = await digestOf(source);
    if (digest !== undefined) digests.set(path, digest);
  }
  if (content !== undefined) return { digests, content };
  const main = typeof body === 'function' ? undefined : await digestOf(skillMd ?? serializeSkillMd(served));
  if (main === undefined || digests.size < Object.keys(resources).length) return { digests, content: null };
  return { digests, content: await skillDigestFromFileDigests({ ...Object.fromEntries(digests), 'SKILL.md': main }) };
}

async function digestOf(source: SkillResourceSource): Promise<string | undefined> {
  if (typeof source === 'string' || source instanceof Uint8Array) return await sha256Hex(source);
  const told = typeof source === 'object' && 'digest' in source ? source.digest : undefined;
  return told !== undefined && isSha256Hex(told) ? told : undefined;
}
