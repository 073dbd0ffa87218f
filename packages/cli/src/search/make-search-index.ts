import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SkillCallOptions } from '@repertoire/skills-core/provider';

/**
 * Makes the search index of a library. The same skills give the same bytes.
 *
 * @throws {SkillError} `source-unavailable` where a skill cannot be read: an index without its
 *   instructions would hide it from searches for good
 */
export async function makeSearchIndex(
  provider: SkillProvider,
  { signal, references }: SkillCallOptions & { readonly references?: boolean | undefined },
): Promise<Uint8Array> {
  const { createSkillSearch } = await import('@repertoire/skill-search');
  // One after another: the order in which they are read is the order in which they are written.
  const search = createSkillSearch(provider, { concurrency: 1, references });
  // Without `using`, which Node.js 22 does not read: what makes bundles also runs from its sources.
  try {
    const { unread, diagnostics } = await search.refresh({ signal });
    if (unread === 0) return search.exportIndex();
    const why = diagnostics.map(({ message }) => message).join(' ');
    throw new SkillError('source-unavailable', `The search index cannot be made, since ${unread} skills cannot be read. ${why}`, {
      source: provider.label,
    });
  } finally {
    search[Symbol.dispose]();
  }
}
