import { publishSkillsToStorage, storageSkillProvider, type SkillStore } from '@repertoire/skill-storage';
import type { SkillProvider } from '@repertoire/skills-core';
import { inCodeLibrary, type ParityLibrary } from '@repertoire/skills-testkit/internal';

export async function publishLibrary(library: ParityLibrary, store: SkillStore): Promise<void> {
  const { diagnostics } = await publishSkillsToStorage(store, inCodeLibrary(library), { prefix: prefixOf(library) });
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
}

export function storedLibrary(library: ParityLibrary, store: SkillStore): SkillProvider {
  const { label, trusted } = library;
  return storageSkillProvider({ store, label, trusted, prefix: prefixOf(library) });
}

/** Both libraries lie in one store. */
function prefixOf({ trusted }: ParityLibrary): string {
  return trusted ? 'own' : 'foreign';
}
