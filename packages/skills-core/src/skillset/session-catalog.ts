import { buildCatalog, type BuildCatalogRequest, type CatalogTexts } from '../catalog/build-catalog.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
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

type KeptTexts = Pick<CatalogTexts, 'text' | 'toolText' | 'tokens'>;

/** What a {@link SkillCatalogStore} keeps. */
export interface KeptCatalogTexts extends KeptTexts {
  /** The skills of the texts. Requests get them only if they may see each skill. */
  readonly skills: readonly SkillMetadata[];
}

/** The most different catalogs that are remembered: tenants and roles that see different skills. */
const maxEntries = 16;

/** The texts that were made of a list of skills, and what a host keeps of them. */
interface Entry {
  readonly skills: readonly SkillMetadata[];
  readonly texts: CatalogTexts;
  readonly kept: KeptSession;
  /** The skills as text, for sources that return new objects each time. */
  json?: string;
}

/** What one session shows of a catalog. */
interface SessionCatalog extends KeptTexts {
  readonly cut: CatalogTexts['cut'];
  readonly kept: KeptSession;
}

/**
 * Remembers the texts that were made of a list of skills. They are a pure function of that list and
 * of the skillset's options, so nothing of a conversation is in it. Sources that return the same
 * objects again cost one comparison per skill.
 */
export class SkillsetCatalogs {
  readonly #request: BuildCatalogRequest;
  readonly #store: SkillCatalogStore | undefined;
  readonly #onBuilt: (skills: readonly SkillMetadata[], texts: CatalogTexts) => void;
  #entries: readonly Entry[] = [];

  /** @param onBuilt told when texts were made, and not if they were remembered */
  constructor(
    request: BuildCatalogRequest,
    store: SkillCatalogStore | undefined,
    onBuilt: (skills: readonly SkillMetadata[], texts: CatalogTexts) => void,
  ) {
    this.#request = request;
    this.#store = store;
    this.#onBuilt = onBuilt;
  }

  /**
   * The texts for these skills: the current ones, or those that the conversation began with.
   *
   * @param given what was kept of the conversation, as it came
   * @param maySee whether the request may see the skills of stored texts
   */
  async of(
    skills: readonly SkillMetadata[],
    given: unknown,
    maySee: (skills: unknown) => Promise<boolean>,
  ): Promise<{ readonly catalog: SessionCatalog; readonly diagnostics: readonly SkillDiagnostic[] }> {
    const { texts, kept: current } = this.#built(skills);
    const own: KeptTexts = { text: texts.text, toolText: texts.toolText, tokens: texts.tokens };
    const kept = readKept(given);
    const isChanged = typeof kept === 'object' && kept.catalog !== current.catalog;
    const diagnostics = kept === 'invalid' ? [keptInvalid, ...texts.diagnostics] : [...texts.diagnostics];
    if (this.#store !== undefined) {
      const stored = isChanged ? await this.#store.get(kept.catalog) : undefined;
      // A client may claim the digest of another tenant's catalog.
      if (isChanged && stored !== undefined && stored !== null && (await maySee(stored.skills))) {
        const { text, toolText, tokens } = stored;
        return { catalog: { text, toolText, tokens, cut: texts.cut, kept }, diagnostics };
      }
      await this.#store.set(current.catalog, { ...own, skills });
    }
    if (isChanged) diagnostics.unshift(catalogChanged(this.#store !== undefined));
    return { catalog: { ...own, cut: texts.cut, kept: current }, diagnostics };
  }

  #built(skills: readonly SkillMetadata[]): Entry {
    const known = this.#find(skills);
    if (known !== undefined) return known;
    const texts = buildCatalog(skills, this.#request);
    this.#onBuilt(skills, texts);
    const built: Entry = { skills, texts, kept: keptOf(texts) };
    this.#entries = [built, ...this.#entries].slice(0, maxEntries);
    return built;
  }

  #find(skills: readonly SkillMetadata[]): Entry | undefined {
    const candidates = this.#entries.filter((entry) => entry.skills.length === skills.length);
    const same = candidates.find((entry) => entry.skills.every((skill, index) => skill === skills[index]));
    if (same !== undefined || candidates.length === 0) return same;
    const json = JSON.stringify(skills);
    return candidates.find((entry) => (entry.json ??= JSON.stringify(entry.skills)) === json);
  }
}

/**
 * What a host keeps of a catalog. The text is hashed when somebody reads it: in a fresh process,
 * loading what hashes takes longer than writing a catalog of ten skills.
 */
function keptOf({ text, toolText }: Pick<CatalogTexts, 'text' | 'toolText'>): KeptSession {
  let digest: string | undefined;
  return {
    get catalog() {
      return (digest ??= hashText(JSON.stringify([text, toolText])));
    },
  };
}

/** Reads what was kept, which a client may have sent. */
function readKept(kept: unknown): KeptSession | 'invalid' | undefined {
  if (kept === undefined || kept === null) return undefined;
  if (typeof kept !== 'object' || !('catalog' in kept) || typeof kept.catalog !== 'string') return 'invalid';
  return /^[\w-]{22}$/.test(kept.catalog) ? { catalog: kept.catalog } : 'invalid';
}

const keptInvalid: SkillDiagnostic = {
  code: 'kept-invalid',
  severity: 'warning',
  message: 'What was kept of the conversation’s skills is not what a session keeps. It is ignored, and the skills are read anew.',
  fix: 'Keep `session.kept` as it is. If clients can write it, see the page on what a client can forge.',
};

/** What is reported if the catalog is another one than the conversation began with. */
function catalogChanged(hasStore: boolean): SkillDiagnostic {
  return {
    code: 'catalog-changed',
    severity: hasStore ? 'warning' : 'info',
    message: hasStore
      ? 'The catalog changed since this conversation began, and its text is not in the store. The new one is used.'
      : 'The catalog changed since this conversation began. The new one is used, and the prompt cache starts anew.',
    fix: 'To keep the text of a conversation, create the skillset with conversation: { catalogStore }.',
  };
}
