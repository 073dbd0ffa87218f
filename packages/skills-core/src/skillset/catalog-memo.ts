import { buildCatalog, type BuildCatalogRequest, type CatalogTexts } from '../catalog/build-catalog.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { keptOf, type KeptSession } from './kept-catalog.ts';

/** The texts of a catalog, and what a host keeps of them. */
export interface MemoizedCatalog {
  readonly texts: CatalogTexts;
  readonly kept: KeptSession;
}

/** The most different catalogs that are remembered: tenants and roles that see different skills. */
const maxEntries = 16;

interface Entry {
  readonly skills: readonly SkillMetadata[];
  readonly catalog: MemoizedCatalog;
  /** The skills as text, for sources that return new objects each time. */
  json?: string;
}

/**
 * Remembers the texts that were made of a list of skills. They are a pure function of that list and
 * of the skillset's options, so nothing of a conversation is in it. Sources that return the same
 * objects again cost one comparison per skill.
 */
export class CatalogMemo {
  readonly #request: BuildCatalogRequest;
  readonly #onBuilt: (skills: readonly SkillMetadata[], texts: CatalogTexts) => void;
  #entries: readonly Entry[] = [];

  /** @param onBuilt told when texts were made, and not if they were remembered */
  constructor(request: BuildCatalogRequest, onBuilt: (skills: readonly SkillMetadata[], texts: CatalogTexts) => void) {
    this.#request = request;
    this.#onBuilt = onBuilt;
  }

  async of(skills: readonly SkillMetadata[]): Promise<MemoizedCatalog> {
    const known = this.#find(skills);
    if (known !== undefined) return known.catalog;
    const texts = buildCatalog(skills, this.#request);
    this.#onBuilt(skills, texts);
    const catalog = { texts, kept: keptOf(texts) };
    this.#entries = [{ skills, catalog }, ...this.#entries].slice(0, maxEntries);
    return catalog;
  }

  #find(skills: readonly SkillMetadata[]): Entry | undefined {
    const same = this.#entries.find(
      (entry) => entry.skills.length === skills.length && entry.skills.every((skill, index) => skill === skills[index]),
    );
    if (same !== undefined) return same;
    const candidates = this.#entries.filter((entry) => entry.skills.length === skills.length);
    if (candidates.length === 0) return undefined;
    const json = JSON.stringify(skills);
    return candidates.find((entry) => (entry.json ??= JSON.stringify(entry.skills)) === json);
  }
}
