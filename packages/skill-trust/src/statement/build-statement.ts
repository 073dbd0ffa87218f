import { SkillError } from '@repertoire/skills-core';
import { concatBytes } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { fromHex } from '../encoding/bytes.ts';
import { show } from '../problem/refusal.ts';
import type { SkillFiles } from '../verify/verify-files.ts';
import { alwaysIgnored, collisionKey, compareCodePoints, isSignableName, liesWithin } from './file-names.ts';
import { predicateType, statementType } from './skill-statement.ts';

/** Builds the statement to sign: the digest of each file, in the order of the specification. */
export async function buildStatement(name: string, files: SkillFiles, signatureName: string): Promise<Uint8Array> {
  const ignored = [...alwaysIgnored, signatureName];
  const paths = [...files.keys()].filter((path) => !liesWithin(path, ignored)).sort(compareCodePoints);
  if (paths.length === 0) throw new SkillError('invalid-skill', `There are no files to sign for ${show(name)}.`, { skill: name });
  checkNames(name, paths);
  const resources = await Promise.all(
    paths.map(async (path) => {
      const bytes = files.get(path);
      if (bytes === null || bytes === undefined)
        throw new SkillError('invalid-skill', `${show(path)} is not a regular file. Replace symbolic links by their files.`, {
          skill: name,
          path,
        });
      return { name: path, algorithm: 'sha256', digest: await sha256Hex(bytes) };
    }),
  );
  const statement = {
    _type: statementType,
    subject: [{ name, digest: { sha256: await sha256Hex(concatBytes(resources.map(({ digest }) => fromHex(digest)))) } }],
    predicateType,
    predicate: {
      serialization: { method: 'files', hash_type: 'sha256', allow_symlinks: false, ignore_paths: ignored.toSorted(compareCodePoints) },
      resources,
    },
  };
  return new TextEncoder().encode(JSON.stringify(statement));
}

function checkNames(skill: string, paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    if (!isSignableName(path))
      throw new SkillError('invalid-path', `${show(path)} cannot be signed. Use a relative path with "/".`, { skill, path });
    const twin = seen.get(collisionKey(path));
    if (twin !== undefined)
      throw new SkillError('invalid-skill', `${show(twin)} and ${show(path)} are one file on some file systems. Rename one.`, {
        skill,
        path,
      });
    seen.set(collisionKey(path), path);
  }
}
