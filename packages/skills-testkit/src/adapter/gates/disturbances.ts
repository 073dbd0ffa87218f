import { selectSkills, SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';

/** A source that can be switched off and on. */
export interface SwitchedSource {
  readonly provider: SkillProvider;
  down: Error | undefined;
}

/** Makes a source that can be switched off and on. */
export function switchedSource(provider: SkillProvider): SwitchedSource {
  const check = () => {
    if (state.down !== undefined) throw state.down;
  };
  const state: SwitchedSource = {
    down: undefined,
    provider: {
      label: provider.label,
      listSkills: async (options) => (check(), await provider.listSkills(options)),
      getSkill: async (name, options) => (check(), await provider.getSkill(name, options)),
      readResource: async (name, path, options) => (check(), await provider.readResource(name, path, options)),
      contentOf: async (name, options) => (check(), (await provider.contentOf?.(name, options)) ?? null),
      gatedTools: () => provider.gatedTools?.() ?? [],
    },
  };
  return state;
}

/** Something that happens to two sources, and to what is composed of them. */
export const disturbances = ['outage-own', 'outage-other', 'outage-both', 'removed', 'refused', 'view', 'empty', 'incomplete'] as const;
export type Disturbance = (typeof disturbances)[number];

/** Prepares a disturbance. The function triggers it, and returns what the host reads afterwards. */
export async function disturbanceOf(
  kind: Disturbance,
  provider: SkillProvider,
  [own, other]: readonly [SwitchedSource, SwitchedSource],
  first: string | undefined,
): Promise<() => SkillProvider> {
  const changed = (change: (listing: SkillListing) => SkillListing): SkillProvider => ({
    ...provider,
    listSkills: async (options) => change(await provider.listSkills(options)),
  });
  const outage = (...sources: readonly SwitchedSource[]) => {
    for (const source of sources) source.down = new Error('down');
    return provider;
  };
  switch (kind) {
    case 'outage-own':
      return () => outage(own);
    case 'outage-other':
      return () => outage(other);
    case 'outage-both':
      return () => outage(own, other);
    case 'removed':
      return () => changed((listing) => ({ ...listing, skills: listing.skills.filter(({ name }) => name !== first) }));
    case 'view':
      return () => selectSkills(provider, ({ name }) => name !== first);
    case 'empty':
      return () => changed((listing) => ({ ...listing, skills: [] }));
    case 'incomplete':
      return () => changed((listing) => ({ ...listing, skills: listing.skills.slice(1), complete: false }));
    case 'refused':
      // What a lock or a signature does with skills that were changed.
      return () => ({ ...changed((listing) => ({ ...listing, skills: [] })), getSkill: refuse, readResource: refuse, contentOf: refuse });
  }
}

async function refuse(): Promise<never> {
  throw new SkillError('digest-mismatch', 'The skill is not what was pinned.');
}
