import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import type { GetSkillOptions } from '@repertoire/skills-core/provider';
import type { SkillEntry } from '../discovery/skill-entry.ts';
import { isAbsent, unwrapped } from '../http/http-failure.ts';
import type { AudienceSpace } from './audience-space.ts';
import { entryNamed, findEntry, listEntries } from './find-entry.ts';

/** Reads something of an entry. If its file is gone or changed, reads it by a newer index. */
export async function withEntry<Value>(
  space: AudienceSpace,
  name: string,
  options: GetSkillOptions,
  read: (entry: SkillEntry) => Promise<Value>,
): Promise<Value | null> {
  const { version, signal } = options;
  const { label } = space.context.http;
  const { entry, checkedAt } = await findEntry(space, name, options);
  if (entry === null) return null;
  try {
    return await read(entry);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isOutOfDate(error)) throw unwrapped(error);
    const newer = entryNamed(await listEntries(space, signal, checkedAt), name, version);
    if (newer === null) return null;
    if (JSON.stringify(contentOf(newer)) === JSON.stringify(contentOf(entry))) throw asGone(entry, error, label);
    return await read(newer).catch((second: unknown) => {
      signal?.throwIfAborted();
      throw asGone(newer, second, label);
    });
  }
}

function contentOf({ content }: SkillEntry): unknown {
  return content.kind === 'files' ? [...content.files] : content;
}

function isOutOfDate(error: unknown): boolean {
  return isAbsent(error) || (SkillError.isInstance(error) && error.code === 'digest-mismatch');
}

/** The error to throw. If the server has no such file, it names the skill. */
function asGone({ name, folder }: SkillEntry, error: unknown, source: string): unknown {
  const cause = unwrapped(error);
  if (!isAbsent(error)) return cause;
  return new SkillError(
    'resource-not-found',
    `[skill-http] The skill ${JSON.stringify(name)} is listed, and its files are not there: ${messageOf(cause)}`,
    { skill: name, path: folder, source, cause },
  );
}
