import type { SkillEntry } from '../discovery/skill-entry.ts';
import { isAbsent } from '../http/http-failure.ts';
import type { LoadContext } from './load-skill.ts';
import { readArtifact } from './read-artifact.ts';
import { readFile } from './read-file.ts';

/** The bytes of one file of a skill, which belong to the cache; `null` where it has none of that path. */
export async function readEntryResource(
  { content }: SkillEntry,
  path: string,
  context: LoadContext,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  if (content.kind !== 'files') {
    const { files } = await readArtifact(content, context, signal);
    // Where the file has another spelling, it is levels 1 and 2 all the same.
    if (path.toLowerCase() === 'skill.md' && !files.has('SKILL.md')) return null;
    return files.get(path) ?? null;
  }
  const file = content.files.get(path);
  if (file === undefined) return null;
  try {
    return (await readFile(file, context, signal)).bytes;
  } catch (error) {
    // Listed and not there is as good as not listed.
    if (isAbsent(error)) return null;
    throw error;
  }
}
