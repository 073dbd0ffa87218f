import { SkillError } from '@repertoire/skills-core';
import type { GetSkillOptions } from '@repertoire/skills-core/provider';
import type { SkillEntry } from '../discovery/skill-entry.ts';
import { unwrapped } from '../http/http-failure.ts';
import type { AudienceSpace } from './audience-space.ts';
import { contentOfEntry } from './content-of-entry.ts';
import type { Listing } from './listing.ts';

/** An entry, and when the server was asked for it. */
interface FoundEntry {
  readonly entry: SkillEntry | null;
  readonly checkedAt: number;
}

/** The skills of a space. If they cannot be read, the source is unavailable, whatever the cause. */
export async function listEntries(space: AudienceSpace, signal: AbortSignal | undefined, changedSince?: number): Promise<Listing> {
  try {
    return await space.read(signal, changedSince);
  } catch (thrown) {
    signal?.throwIfAborted();
    const error = unwrapped(thrown);
    if (!SkillError.isInstance(error) || error.code === 'source-unavailable' || error.code === 'timeout') throw error;
    throw new SkillError('source-unavailable', error.message, { source: space.context.http.label, path: error.path, cause: error });
  }
}

/** An entry as listed, or as the server lists it now if another content is asked for. */
export async function findEntry(space: AudienceSpace, name: string, options: GetSkillOptions): Promise<FoundEntry> {
  const { content, place = name, version, signal } = options;
  const listing = await listEntries(space, signal);
  const { checkedAt } = listing;
  const entry = place === name ? entryNamed(listing, name, version) : null;
  if (content === undefined || place !== name || (await mayHold(space, entry, content))) return { entry, checkedAt };
  // The server was already asked. A conversation may ask for a content that is gone at every step.
  const key = JSON.stringify([name, version ?? null, content]);
  if (space.gone.get(key) === checkedAt) return { entry: null, checkedAt };
  const newer = await listEntries(space, signal, checkedAt);
  const renewed = entryNamed(newer, name, version);
  if (await mayHold(space, renewed, content)) return { entry: renewed, checkedAt: newer.checkedAt };
  space.gone.set(key, newer.checkedAt, 1);
  return { entry: null, checkedAt: newer.checkedAt };
}

export function entryNamed({ entries }: Listing, name: string, version: string | null | undefined): SkillEntry | null {
  return entries.find((entry) => entry.name === name && (version === undefined || entry.version === version)) ?? null;
}

async function mayHold({ context }: AudienceSpace, entry: SkillEntry | null, content: string | null): Promise<boolean> {
  if (entry === null) return false;
  const known = await contentOfEntry(entry, context.contents);
  // The content of an archive is unknown until it was read.
  return known === content || (known === undefined && entry.content.kind === 'archive');
}
