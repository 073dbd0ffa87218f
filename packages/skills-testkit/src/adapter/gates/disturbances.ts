import { selectSkills, SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';

/** A source that can be switched off and on. */
export interface SwitchedSource {
  readonly provider: SkillProvider;
  down: Error | undefined;
}

/** Makes a source that can be switched off and on. What it gates is known all the time. */
export function switchedSource(provider: SkillProvider): SwitchedSource {
  const whileUp = () => {
    if (state.down !== undefined) throw state.down;
    return provider;
  };
  const contentOf: SkillProvider['contentOf'] = async (name, options) => (await whileUp().contentOf?.(name, options)) ?? null;
  const gatedTools = () => provider.gatedTools?.() ?? [];
  const state: SwitchedSource = { down: undefined, provider: { ...providerThatIs(provider.label, whileUp), contentOf, gatedTools } };
  return state;
}

/** Reads from a provider that may be another one at each call. */
export function providerThatIs(label: string, now: () => SkillProvider): SkillProvider {
  return {
    label,
    listSkills: async (options) => await now().listSkills(options),
    getSkill: async (name, options) => await now().getSkill(name, options),
    readResource: async (name, path, options) => await now().readResource(name, path, options),
    gatedTools: () => now().gatedTools?.() ?? [],
  };
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
