import { type SkillWrittenFile, compareText } from '@repertoire/skills-core/internal';
import type { JustBashLike } from './just-bash-runner.ts';

/**
 * Finds new and changed files below a folder, without links. The shell's limits bound their size.
 */
export async function writtenInMemory(
  { fs }: Pick<JustBashLike, 'fs'>,
  folder: string,
  originals: ReadonlyMap<string, Uint8Array>,
): Promise<readonly SkillWrittenFile[]> {
  const written: SkillWrittenFile[] = [];
  for (const absolute of fs.getAllPaths()) {
    if (!absolute.startsWith(`${folder}/`) || !(await fs.lstat(absolute)).isFile) continue;
    const path = absolute.slice(folder.length + 1);
    const bytes = new Uint8Array(await fs.readFileBuffer(absolute));
    if (!isEqual(bytes, originals.get(path))) written.push({ path, size: bytes.length, bytes });
  }
  return written.sort((a, b) => compareText(a.path, b.path));
}

function isEqual(bytes: Uint8Array, original: Uint8Array | undefined): boolean {
  return original !== undefined && bytes.length === original.length && bytes.every((byte, index) => byte === original[index]);
}
