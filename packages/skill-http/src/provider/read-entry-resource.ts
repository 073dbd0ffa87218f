import type { SkillEntry } from '../discovery/skill-entry.ts';
import { isAbsent } from '../http/http-failure.ts';
import type { LoadContext } from './load-skill.ts';
import { readArtifact } from './read-artifact.ts';
import { readFile } from './read-file.ts';

/** The bytes of one file, which belong to the cache; `null` if there is none. */
export async function readEntryResource(
  { content }: SkillEntry,
  path: string,
  context: LoadContext,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  if (content.kind !== 'files') {
    const { files } = await readArtifact(content, context, signal);
    const main = skillFileOf(files);
    if (path === 'SKILL.md') return main === undefined ? null : (files.get(main) ?? null);
    return path === main ? null : (files.get(path) ?? null);
  }
  const file = content.files.get(path);
  if (file === undefined) return null;
  try {
    return (await readFile(file, context, signal)).bytes;
  } catch (error) {
    // A listed file that the server does not have counts as not listed.
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** As `skillFromFiles` chooses it. */
function skillFileOf(files: ReadonlyMap<string, Uint8Array>): string | undefined {
  if (files.has('SKILL.md')) return 'SKILL.md';
  return [...files.keys()].filter((path) => path.toLowerCase() === 'skill.md').sort()[0];
}
