import type { GetSkillOptions, Skill, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { canonicalJson } from './canonical-json.ts';
import { sha256Hex } from './sha256-hex.ts';
import { skillDigestFromFileDigests } from './skill-digest.ts';

/** Digests of a skill as a provider serves it: SHA-256 in lower-case hex. */
export interface SkillDigests {
  /** Of everything: the other three, by the lines of `skillDigest`, where the line of `SKILL.md` is made of `frontmatter` and `body`. */
  readonly digest: string;
  /** Of level 1 without its origin: what stands in every prompt. */
  readonly frontmatter: string;
  /** Of the body. */
  readonly body: string;
  /** Of the bytes of each file, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The digest of a skill as a provider serves it, made of everything that a caller can get: level 1, the body, and the bytes of every listed file. It reads all of
 * them.
 *
 * The contract gives level 1 and a body, not the bytes of `SKILL.md`. So the digest of `SKILL.md` is that of two lines: the SHA-256 of level 1 as canonical JSON
 * (RFC 8785; without `origin`, which is the host's word) and the SHA-256 of the body, each in hex with LF. Hence its limits: comments, spacing, the order of keys
 * and line ends of a `SKILL.md` may change without changing it, since no caller sees them; a release of the library that reads a field otherwise changes it; it
 * never equals the `skillDigest` of the raw files.
 *
 * @returns `null` for an unknown name or version
 * @throws {SkillError} `resource-not-found` where a listed file cannot be read, and what the provider rejects with
 * @example
 * ```ts
 * import { digestOfSkill, type SkillProvider } from '@repertoire/skills-core';
 *
 * export async function sameSkill(name: string, one: SkillProvider, other: SkillProvider): Promise<boolean> {
 *   const [left, right] = await Promise.all([digestOfSkill(one, name), digestOfSkill(other, name)]);
 *   return left !== null && left.digest === right?.digest;
 * }
 * ```
 */
export async function digestOfSkill(provider: SkillProvider, name: string, options: GetSkillOptions = {}): Promise<SkillDigests | null> {
  const skill = await provider.getSkill(name, options);
  return skill === null ? null : await digestsOfSkill(provider, name, skill, { ...options, version: options.version ?? skill.version });
}

/** Digests of a skill that was got already. */
export async function digestsOfSkill(provider: SkillProvider, name: string, skill: Skill, options: GetSkillOptions): Promise<SkillDigests> {
  const files: [path: string, digest: string][] = [];
  // One after another: of a large skill, one file at a time is in memory.
  for (const { path } of skill.resources) {
    const resource = await provider.readResource(name, path, options);
    if (resource === null || resource.bytes.length !== resource.size) {
      throw new SkillError(
        'resource-not-found',
        `Skill ${JSON.stringify(name)} lists ${path}, which could not be read as a whole. It may have changed meanwhile; try again.`,
        {
          skill: name,
          path,
          source: provider.label,
        },
      );
    }
    files.push([path, await sha256Hex(resource.bytes)]);
  }
  const [frontmatter, body] = await Promise.all([frontmatterDigest(skill), sha256Hex(skill.body)]);
  return await combineDigests({ frontmatter, body, files: Object.fromEntries(files) });
}

/** Digest of level 1: of the listed metadata, or of the same fields of a whole skill. */
export async function frontmatterDigest(skill: SkillMetadata & Partial<Pick<Skill, 'body' | 'resources'>>): Promise<string> {
  const { body: _body, resources: _resources, origin: _origin, ...metadata } = skill;
  return await sha256Hex(canonicalJson(metadata));
}

/** Adds the digest of everything. */
export async function combineDigests({ frontmatter, body, files }: Omit<SkillDigests, 'digest'>): Promise<SkillDigests> {
  const skillMd = await sha256Hex(`${frontmatter}\n${body}\n`);
  return { digest: await skillDigestFromFileDigests({ ...files, 'SKILL.md': skillMd }), frontmatter, body, files };
}
