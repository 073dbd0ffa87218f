import { isTrusted, SkillError, type Skill, type SkillProvider } from '@repertoire/skills-core';
import { parseSkillFrontmatter, serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { readSkillMd, sha256Hex, skillDigestFromFileDigests, type SkillCallOptions } from '@repertoire/skills-core/provider';
import { parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
import { markedBody, viewedMetadata } from './viewed-skill.ts';

/**
 * The `SKILL.md` that a bridge serves: the author's bytes, if they belong to the content of the
 * skill and say the name that it is listed by. An untrusted skill, one that a hook changed and one
 * that a composition renamed are written anew.
 *
 * @throws {SkillError} `skill-changed` for bytes of another content; what the provider rejects with
 */
export async function servedSkillMd(
  provider: SkillProvider,
  fetched: Skill,
  skill: Skill,
  { signal }: SkillCallOptions,
): Promise<Uint8Array> {
  if (!isTrusted(skill)) return encode(serializeSkillMd({ ...viewedMetadata(skill), body: markedBody(skill) }));
  if (skill !== fetched) return encode(serializeSkillMd(skill));
  const { bytes, digest } = await readSkillMd(provider, skill, { signal });
  await assertContent(skill, digest ?? (await sha256Hex(bytes)));
  return says(bytes, skill.name) || nameIn(bytes) === skill.name ? bytes : encode(serializeSkillMd(skill));
}

/**
 * Whether a file begins with a block of plain lines of which exactly one is this name. Nearly all
 * do, and to parse the block a second time would take a tenth of what reading the skill takes.
 */
function says(bytes: Uint8Array, name: string): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, 2_048));
  const end = head.indexOf('\n---', 3);
  if (!head.startsWith('---\n') || end === -1) return false;
  const names = head.slice(3, end).match(/\n["']?name["']? *:[^\n]*/g);
  return names?.length === 1 && names[0] === `\nname: ${name}`;
}

/** A source answers the body and the bytes in two calls; the skill may change between them. */
async function assertContent({ name, content, resources }: Skill, main: string): Promise<void> {
  if (typeof content !== 'string') return;
  const digests = new Map<string, string>([['SKILL.md', main]]);
  for (const { path, digest } of resources) {
    if (digest === undefined) return;
    digests.set(path, digest);
  }
  if ((await skillDigestFromFileDigests(Object.fromEntries(digests))) === content) return;
  throw new SkillError('skill-changed', `Skill ${JSON.stringify(name)} changed while it was read. Read it again.`, { skill: name });
}

function nameIn(bytes: Uint8Array): string | undefined {
  return (parsePlainSkillFrontmatter(bytes) ?? parseSkillFrontmatter(bytes)).metadata?.name;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
