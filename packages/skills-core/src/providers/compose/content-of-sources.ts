import { isFrom } from '../../contract/skill-identity.ts';
import type { GetSkillOptions } from '../../contract/skill-provider.ts';
import type { ComposedListings } from './composed-listings.ts';
import { candidatesFor, type Composition } from './composition.ts';

/** The content of a skill, told by the source that has it. */
export async function contentOfSources(
  composition: Composition,
  listings: ComposedListings,
  name: string,
  options: GetSkillOptions,
): Promise<string | null | undefined> {
  const { among, ownName } = candidatesFor(composition, name, options.source);
  if (options.source === undefined && ownName === name) {
    const { version, signal } = options;
    const { skills } = await listings.list(signal);
    const listed = skills.find(
      (skill) => skill.name === name && (version === undefined || skill.version === version) && isFrom(skill, options),
    );
    if (listed === undefined) return undefined;
    return await contentOfSources(composition, listings, name, { ...options, source: listed.origin?.label ?? '' });
  }
  // Of a source inside a source, the listing tells where it is.
  if (among.length > 1)
    await Promise.allSettled(among.filter(({ heard }) => !heard).map(async (source) => await source.list(options.signal)));
  const holders = among.length > 1 ? among.filter(({ known }) => known.get(ownName)?.label === options.source) : among;
  for (const source of holders) {
    const content = await source.call(options.signal, async (call) => await source.provider.contentOf?.(ownName, { ...options, ...call }));
    if (content !== undefined) return content;
  }
  return undefined;
}
