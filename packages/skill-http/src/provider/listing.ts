import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import { compareSkills, forEachBounded } from '@repertoire/skills-core/provider';
import { entryKey, type SkillEntry } from '../discovery/skill-entry.ts';
import { unwrapped } from '../http/http-failure.ts';
import type { Catalog } from './catalog.ts';
import { loadSkill, type LoadContext } from './load-skill.ts';

const concurrency = 8;

/** Skills as they are listed. */
export interface Listing {
  readonly entries: readonly SkillEntry[];
  /** When the server was last asked. */
  readonly checkedAt: number;
  /** Skills that were left out of this listing, beside what the index itself left out. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether nothing is missing that the server may have. */
  readonly complete: boolean;
}

/** Reads the list of skills; `changedSince` asks the server unless it was asked after that time. */
export type ReadListing = (signal: AbortSignal | undefined, changedSince?: number) => Promise<Listing>;

/** Lists what the index says. */
export function indexListing(catalog: Catalog): ReadListing {
  return async (signal, changedSince) => {
    const { value, checkedAt } = await catalog.current(signal, changedSince);
    return { entries: value.entries, checkedAt, diagnostics: [], complete: value.complete };
  };
}

/**
 * Level 1 from the skills themselves. Bad ones are reported, unreachable ones stay as they were.
 */
export function artifactListing(catalog: Catalog, context: LoadContext): ReadListing {
  let known = new Map<string, SkillEntry>();
  let last: { readonly index: readonly SkillEntry[]; readonly listing: Listing; readonly until: number } | null = null;

  return async (signal, changedSince) => {
    const { value, checkedAt } = await catalog.current(signal, changedSince);
    if (last?.index === value.entries && context.http.now() < last.until) return { ...last.listing, checkedAt };
    const found = new Map<string, SkillEntry>();
    const diagnostics: SkillDiagnostic[] = [];
    let isWhole = true;
    let complete = value.complete;
    const read = async (entry: SkillEntry): Promise<void> => {
      try {
        const { metadata } = await loadSkill(entry, context, signal);
        found.set(entryKey(entry), wholeEntry(entry, metadata));
      } catch (error) {
        signal?.throwIfAborted();
        const reason = unwrapped(error);
        if (!SkillError.isInstance(reason)) throw reason;
        if (isOutage(reason)) isWhole = false;
        const before = isOutage(reason) ? known.get(entryKey(entry)) : undefined;
        if (before !== undefined) found.set(entryKey(entry), before);
        else {
          if (isOutage(reason)) complete = false;
          diagnostics.push({ code: 'skill-unusable', severity: 'error', message: reason.message, skill: entry.name, path: entry.folder });
        }
      }
    };
    await forEachBounded(value.entries, concurrency, read, signal);
    known = found;
    const listing: Listing = { entries: [...found.values()].sort(compareSkills), checkedAt, diagnostics, complete };
    // Unreachable skills are tried again later, but not at every call.
    last = { index: value.entries, listing, until: isWhole ? Number.POSITIVE_INFINITY : context.http.now() + context.rules.cooldownMs };
    return listing;
  };
}

function wholeEntry(entry: SkillEntry, metadata: SkillEntry['metadata']): SkillEntry {
  const version = metadata.version ?? textOf(metadata.fields?.['version']);
  if (version === metadata.version) return { ...entry, metadata: deepFreeze(metadata), complete: true };
  // The index had no place for the version. It is listed now, so it can be asked for.
  const { version: _version, ...fields } = metadata.fields ?? {};
  const { fields: _fields, ...rest } = metadata;
  const whole = deepFreeze({ ...rest, version, ...(Object.keys(fields).length > 0 && { fields }) });
  return { ...entry, version, metadata: whole, complete: true };
}

function isOutage({ code }: SkillError): boolean {
  return code === 'source-unavailable' || code === 'timeout';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
