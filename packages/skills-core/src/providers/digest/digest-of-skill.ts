import type { GetSkillOptions, Skill, SkillMetadata, SkillProvider } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { canonicalJson } from './canonical-json.ts';
import { bytesToCopy, readListedFile } from './read-listed-file.ts';
import { readSkillMd } from './read-skill-md.ts';
import { sha256Hex } from './sha256-hex.ts';
import { skillDigestFromFileDigests } from './skill-digest.ts';

/** Digests of a skill: SHA-256 in lower-case hex. */
export interface SkillDigests {
  /**
   * Of all files, by the lines of `skillDigest`. It equals the digest of the folder that the author
   * wrote.
   */
  readonly digest: string;
  /** Of the bytes of each file, by its path, `SKILL.md` among them. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Of level 1 as the source serves it, without `origin` and `content`: what stands in every
   * prompt. Canonical JSON (RFC 8785).
   */
  readonly frontmatter: string;
  /** Of the body as the source serves it. */
  readonly body: string;
}

/**
 * Returns the digests of a skill as a provider serves it. It reads every file.
 *
 * `digest` and `files` are made of the author's bytes, so they are what `sha256sum` prints for the
 * files of the folder, whatever transport the skill came by. For a source without a `SKILL.md`
 * (skills in code, rows of a table) the canonical text takes its place. `frontmatter` and `body`
 * pin what the source made of it, because that is what a model reads.
 *
 * @returns `null` for an unknown name or version
 * @throws {SkillError} `resource-not-found` if a listed file cannot be read, and what the provider
 *   rejects with
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { digestOfSkill } from '@repertoire/skills-core/provider';
 *
 * export async function sameSkill(name: string, one: SkillProvider, other: SkillProvider): Promise<boolean> {
 *   const [left, right] = await Promise.all([digestOfSkill(one, name), digestOfSkill(other, name)]);
 *   return left !== null && left.digest === right?.digest;
 * }
 * ```
 */
export async function digestOfSkill(provider: SkillProvider, name: string, options: GetSkillOptions = {}): Promise<SkillDigests | null> {
  const skill = await provider.getSkill(name, { ...options, withBytes: bytesToCopy });
  return skill === null ? null : await digestsOfSkill(provider, name, skill, options);
}

/** Digests of a skill that was fetched already. */
export async function digestsOfSkill(
  provider: SkillProvider,
  name: string,
  skill: Skill,
  { signal }: GetSkillOptions = {},
): Promise<SkillDigests> {
  const { bytes } = await readSkillMd(provider, skill, { signal }, name);
  const files: [path: string, digest: string][] = [['SKILL.md', await sha256Hex(bytes)]];
  // One after another: of a large skill, one file at a time is in memory.
  for (const entry of skill.resources) {
    const { path } = entry;
    const resource = await readListedFile(provider, skill, entry, { signal }, name);
    if (resource === null || resource.bytes.length !== resource.size) {
      throw new SkillError(
        'resource-not-found',
        `Skill ${JSON.stringify(name)} lists ${path}, which could not be read as a whole. It may have changed in the meantime; try again.`,
        { skill: name, path, source: provider.label },
      );
    }
    files.push([path, await sha256Hex(resource.bytes)]);
  }
  const [frontmatter, body] = await Promise.all([frontmatterDigest(skill), sha256Hex(skill.body)]);
  const byPath = Object.fromEntries(files);
  return { digest: await skillDigestFromFileDigests(byPath), files: byPath, frontmatter, body };
}

/** Digest of level 1: of the listed metadata, or of the same fields of a whole skill. */
export async function frontmatterDigest(
  skill: SkillMetadata & Partial<Pick<Skill, 'body' | 'resources' | 'diagnostics' | 'files'>>,
): Promise<string> {
  const {
    body: _body,
    resources: _resources,
    diagnostics: _diagnostics,
    files: _files,
    origin: _origin,
    content: _content,
    ...metadata
  } = skill;
  return await sha256Hex(canonicalJson(metadata));
}
