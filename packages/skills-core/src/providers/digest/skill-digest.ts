import { SkillError } from '../../errors/skill-error.ts';
import { isResourcePath } from '../../contract/resource-path.ts';
import { compareText } from '../../contract/skill-name.ts';
import { sha256Hex } from './sha256-hex.ts';

/**
 * Computes the digest of a skill as files, `SKILL.md` among them: the same for a folder, an
 * archive, a server. It is SHA-256, in lower-case hex, over one line for each file, in ascending
 * order of path (by UTF-16 code units): the path in UTF-8, NUL, the file's own SHA-256 in
 * lower-case hex, LF.
 *
 * It is for whoever has the files. For a provider, use `digestOfSkill`, which gives the same
 * digest.
 *
 * @throws {SkillError} `invalid-path` for a path that is not in the form of the contract
 * @example
 * ```ts
 * import { skillDigest } from '@repertoire/skills-core/provider';
 *
 * export const digest: string = await skillDigest({
 *   'SKILL.md': '---\nname: haiku\ndescription: Writes haiku.\n---\nFive, seven, five.\n',
 *   'assets/moon.txt': new Uint8Array([109, 111, 111, 110]),
 * });
 * ```
 */
export async function skillDigest(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const digests = await Promise.all(Object.entries(files).map(async ([path, content]) => [path, await sha256Hex(content)] as const));
  return await skillDigestFromFileDigests(Object.fromEntries(digests));
}

/**
 * Computes the same digest from the SHA-256 of each file, for transports that are told those before
 * they have the bytes.
 *
 * @throws {SkillError} `invalid-path` for a path that is not in the form of the contract;
 * `digest-mismatch` for what is no SHA-256 in lower-case hex
 * @example
 * ```ts
 * import { sha256Hex, skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
 *
 * export const digest: string = await skillDigestFromFileDigests({
 *   'SKILL.md': await sha256Hex('---\nname: haiku\ndescription: Writes haiku.\n---\nFive, seven, five.\n'),
 *   'assets/moon.txt': await sha256Hex('moon'),
 * }); // what skillDigest returns for the files themselves
 * ```
 */
export async function skillDigestFromFileDigests(digests: Readonly<Record<string, string>>): Promise<string> {
  const lines = Object.entries(digests)
    .sort(([a], [b]) => compareText(a, b))
    .map(([path, hex]) => {
      // A line feed in a path, or a digest of another length, would let two skills have one digest.
      if (!isResourcePath(path))
        throw new SkillError(
          'invalid-path',
          `${JSON.stringify(path)} is no path inside a skill. Use a path such as "references/guide.md".`,
          { path },
        );
      if (!isSha256Hex(hex))
        throw new SkillError(
          'digest-mismatch',
          `The digest of ${path} is ${JSON.stringify(hex)}, which is no SHA-256. Give 64 digits of lower-case hex.`,
          { path },
        );
      return `${path}\0${hex}\n`;
    });
  return await sha256Hex(lines.join(''));
}

/**
 * Whether a text is a SHA-256 as this library writes it: 64 digits of lower-case hex.
 */
export function isSha256Hex(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
