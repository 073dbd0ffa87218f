import type { SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import type { SessionInside, SizedCache } from '@repertoire/skills-core/internal';
import { abortable, readListing, type SkillCallOptions, type SkillListing } from '@repertoire/skills-core/provider';
import type { SkillView } from './skill-view.ts';
import type { ViewedSkill } from './viewed-skill.ts';

/** What a session has for a bridge. */
export interface OpenedView {
  readonly session: SessionInside;
  readonly provider: SkillProvider;
  /** The skills that can be folders, by name. */
  readonly skills: ReadonlyMap<string, SkillMetadata>;
  readonly listed: Awaited<ReturnType<SkillView['list']>>;
  /** Tells the host, once, of a skill that is not served because a person must be asked. */
  needsPerson(skill: string): void;
  /** What was read, also by sessions before. */
  readonly kept: SizedCache<ViewedSkill>;
}

/**
 * A session is pinned while the listing is the same. Whoever lists asks the host again, if that
 * decides who sees what; permissions are asked at each load anyway.
 */
export function cachedView(
  provider: SkillProvider,
  open: () => Promise<OpenedView>,
): (options: SkillCallOptions, isList?: boolean) => Promise<OpenedView> {
  let latest: { readonly listing: SkillListing; readonly opened: Promise<OpenedView> } | undefined;
  return async ({ signal }, isList = false) => {
    const listing = await readListing(provider, { signal });
    const before = latest?.listing === listing ? await latest.opened : undefined;
    if (before !== undefined && !(isList && before.session.asksHost)) return before;
    const next = { listing, opened: open() };
    latest = next;
    next.opened.catch(() => {
      if (latest === next) latest = undefined;
    });
    return await abortable(() => next.opened, signal);
  };
}
