import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import type { CatalogTexts } from '../catalog/build-catalog.ts';
import { hashText } from '../providers/digest/hash-text.ts';

/** What a host keeps between requests: small JSON that grants nothing. */
export interface KeptSession {
  /** Digest of the catalog's text as the conversation first saw it. */
  readonly catalog: string;
}

/** Texts of catalogs by digest. Only the host may write to it: models read them. */
export interface SkillCatalogStore {
  get(digest: string): Promise<KeptCatalogTexts | null | undefined> | KeptCatalogTexts | null | undefined;
  set(digest: string, texts: KeptCatalogTexts): Promise<void> | void;
}

/** What a {@link SkillCatalogStore} keeps. */
export interface KeptCatalogTexts extends Pick<CatalogTexts, 'text' | 'toolText' | 'tokens'> {
  /** The skills of the texts. Requests get them only if they may see each skill. */
  readonly skills: readonly SkillMetadata[];
}

/**
 * What a host keeps of a catalog. The text is hashed when somebody reads it: in a fresh process,
 * loading what hashes takes longer than writing a catalog of ten skills.
 */
export function keptOf({ text, toolText }: Pick<CatalogTexts, 'text' | 'toolText'>): KeptSession {
  let digest: string | undefined;
  return {
    get catalog() {
      return (digest ??= hashText(JSON.stringify([text, toolText])));
    },
  };
}

/** Reads what was kept. Anything but a {@link KeptSession} is reported and ignored. */
export function readKept(kept: unknown, report: (diagnostic: SkillDiagnostic) => void): KeptSession | undefined {
  if (kept === undefined || kept === null) return undefined;
  if (typeof kept === 'object' && 'catalog' in kept && typeof kept.catalog === 'string' && /^[\w-]{22}$/.test(kept.catalog)) {
    return { catalog: kept.catalog };
  }
  report({
    code: 'kept-invalid',
    severity: 'warning',
    message: 'What was kept of the conversation’s skills is not what a session keeps. It is ignored, and the skills are read anew.',
    fix: 'Keep `session.kept` as it is. If clients can write it, see the page on what a client can forge.',
  });
  return undefined;
}

/** What is reported if the catalog is another one than the conversation began with. */
export function catalogChanged(pinned: boolean): SkillDiagnostic {
  return {
    code: 'catalog-changed',
    severity: pinned ? 'warning' : 'info',
    message: pinned
      ? 'The catalog changed since this conversation began, and its text is not in the store. The new one is used.'
      : 'The catalog changed since this conversation began. The new one is used, and the prompt cache starts anew.',
    fix: 'To keep the text of a conversation, create the skillset with conversation: { catalogStore }.',
  };
}
