import { sha256Hex } from '@repertoire/skills-core/provider';
import { signatureProblem, type SignatureProblem } from '../problem/signature-problem.ts';
import { show } from '../problem/refusal.ts';
import { alwaysIgnored, isSignableName, liesWithin } from '../statement/file-names.ts';
import type { SkillStatement } from '../statement/skill-statement.ts';

/** Files by path relative to the skill's folder; `null` is a link or no regular file. */
export type SkillFiles = ReadonlyMap<string, Uint8Array | null>;

/** Whether a path is not covered: the signature itself, or ignored at the top level. */
export function isUnsignedPath(path: string, { files, ignored }: SkillStatement, signatureName: string): boolean {
  return path === signatureName || (!files.has(path) && isSignableName(path) && liesWithin(path, [...alwaysIgnored, ...ignored]));
}

/** Compares files with a verified statement. Reports every difference by path. */
export async function compareFiles(files: SkillFiles, statement: SkillStatement, signatureName: string): Promise<SignatureProblem[]> {
  const problems = new Map<string, SignatureProblem>();
  const add = (path: string, problem: SignatureProblem): void => void problems.set(path, problem);
  await Promise.all(
    [...files].map(async ([path, bytes]) => {
      if (isUnsignedPath(path, statement, signatureName)) return;
      const problem = await compareFile(path, bytes, statement);
      if (problem !== null) add(path, problem);
    }),
  );
  for (const path of statement.files.keys()) {
    if (!files.has(path) || path === signatureName)
      add(path, signatureProblem('file-missing', `The signed file ${show(path)} is not there.`, path));
  }
  return [...problems].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, problem]) => problem);
}

async function compareFile(path: string, bytes: Uint8Array | null, { files }: SkillStatement): Promise<SignatureProblem | null> {
  const digest = files.get(path);
  if (bytes === null) return signatureProblem('file-irregular', `${show(path)} is not a regular file.`, path);
  if (digest === undefined) return signatureProblem('file-extra', `The file ${show(path)} was not signed.`, path);
  if ((await sha256Hex(bytes)) === digest) return null;
  return signatureProblem('file-changed', `The file ${show(path)} differs from the one that was signed.`, path);
}
