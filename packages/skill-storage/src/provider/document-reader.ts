import { SkillError } from '@repertoire/skills-core';
import { deepFreeze, SizedCache } from '@repertoire/skills-core/internal';
import { FormError } from '../form/json-document.ts';
import type { DocumentReference } from '../form/release.ts';
import { parseSkillDocument, type SkillDocument } from '../form/skill-document.ts';
import { readVerified } from './read-verified.ts';
import type { StorageSettings } from './storage-skill-provider-options.ts';

/** Reads level 2 of skills and caches it. */
export interface DocumentReader {
  /** @returns `null` if it does not exist, or is not visible yet */
  read(reference: DocumentReference, skill: string, signal: AbortSignal | undefined): Promise<SkillDocument | null>;
  clear(): void;
}

export function createDocumentReader({ store, label, limits }: StorageSettings): DocumentReader {
  const kept = new SizedCache<SkillDocument>(limits.memoryBytes);
  return {
    async read({ digest }, skill, signal) {
      const known = kept.get(digest);
      if (known !== undefined) return known;
      const key = store.keys.file(digest);
      const bytes = await readVerified(store, { key, digest, limit: { option: 'limits.skillBytes', bytes: limits.skillBytes } }, signal);
      if (bytes === null) return null;
      try {
        const document = deepFreeze(parseSkillDocument(bytes));
        kept.set(digest, document, bytes.length);
        return document;
      } catch (cause) {
        if (!(cause instanceof FormError)) throw cause;
        throw new SkillError('invalid-skill', `The contents of ${JSON.stringify(skill)} cannot be used: ${key} ${cause.message}.`, {
          skill,
          path: key,
          source: label,
          cause,
        });
      }
    },
    clear() {
      kept.clear();
    },
  };
}
