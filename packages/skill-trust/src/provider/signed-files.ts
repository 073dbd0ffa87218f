import type { Skill } from '@repertoire/skills-core';
import {
  compareResources,
  skillDigestFromFileDigests,
  forEachBounded,
  resourceEntry,
  type SkillResourceEntry,
} from '@repertoire/skills-core/provider';
import { refuse, show } from '../problem/refusal.ts';
import type { SkillStatement } from '../statement/skill-statement.ts';
import { isUnsignedPath } from '../verify/verify-files.ts';
import type { SignedSource } from './verified-provider.ts';
import type { SkillRequest } from './verified-skill.ts';

/** The files of a signed skill. Rejects additional and missing ones without reading. */
export async function readSignedFiles(
  { provider, verifier, concurrency }: Pick<SignedSource, 'provider' | 'verifier' | 'concurrency'>,
  request: SkillRequest,
  skill: Skill,
  statement: SkillStatement,
): Promise<SkillResourceEntry[]> {
  const { name, version, signal } = request;
  const listed = new Map(skill.resources.map((entry) => [entry.path, entry]));
  const digests = servedDigests(statement);
  for (const path of listed.keys())
    if (!digests.has(path) && !isUnsignedPath(path, statement, verifier.signatureName))
      refuse('file-extra', `The file ${show(path)} was not signed.`, path);
  const paths = [...digests.keys()].filter((path) => path !== 'SKILL.md');
  const unlisted = paths.filter((path) => !listed.has(path));
  const expectFile = async (path: string): Promise<void> => {
    // A list may be truncated, so a missing entry is checked by reading the file.
    const resource = await provider.readResource(name, path, { version, maxBytes: 0, signal });
    if (resource === null) refuse('file-missing', `The source does not have the signed file ${show(path)}.`, path);
  };
  await forEachBounded(unlisted, concurrency, expectFile, signal);
  const entryOf = (path: string): SkillResourceEntry => {
    const [size, digest] = [listed.get(path)?.size, digests.get(path)];
    return resourceEntry(path, { ...(size !== undefined && { size }), ...(digest !== undefined && { digest }) });
  };
  return paths.map(entryOf).sort(compareResources);
}

/** Digests of the signed files by their served path, which is in Unicode NFC. */
export function servedDigests({ files }: SkillStatement): Map<string, string> {
  return new Map([...files].map(([name, digest]) => [name.normalize('NFC'), digest]));
}

/** The content of a skill; `undefined` where a served file has no signed digest. */
export async function signedContent(statement: SkillStatement, resources: Skill['resources']): Promise<string | undefined> {
  const digests: Record<string, string> = {};
  const signed = servedDigests(statement);
  for (const { path, digest = signed.get(path) } of [{ path: 'SKILL.md' }, ...resources] as readonly { path: string; digest?: string }[]) {
    if (digest === undefined) return undefined;
    digests[path] = digest;
  }
  return await skillDigestFromFileDigests(digests);
}
