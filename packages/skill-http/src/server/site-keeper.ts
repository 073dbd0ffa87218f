import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { sharesPromises } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';
import type { PublishSettings } from './publish-options.ts';
import { readSkills } from './read-skills.ts';
import { buildSite, type Site, type SiteFile } from './site.ts';

const mostRebuilds = 3;

/** What the keeper of a site needs to know. */
export interface KeeperSettings extends PublishSettings {
  readonly staleAfterMs: number;
  readonly keepSupersededMs: number;
  readonly now: () => number;
}

/**
 * Holds one site, and replaces it as a whole. Files of the site before stay for a while for readers
 * of the old index.
 */
export class SiteKeeper {
  readonly #provider: SkillProvider;
  readonly #settings: KeeperSettings;
  readonly #superseded = new Map<string, { readonly file: SiteFile; readonly until: number }>();
  #site: Site | null = null;
  #builtAt = 0;
  #isDirty = false;
  #building: Promise<Site> | null = null;
  #stopWatching: (() => void) | null = null;
  #isClosed = false;
  #failure: SkillError | null = null;
  readonly #watchers = new Set<(done: number, total: number) => void>();

  constructor(provider: SkillProvider, settings: KeeperSettings) {
    this.#provider = provider;
    this.#settings = settings;
  }

  /** Why the site is not the newest; `null` if it is. */
  get failure(): SkillError | null {
    return this.#failure;
  }

  /** @throws {SkillError} where the provider does not answer and never did */
  async current(signal?: AbortSignal): Promise<Site> {
    if (this.#isClosed)
      throw new SkillError('source-unavailable', '[skill-http] The handler was disposed.', { source: this.#provider.label });
    this.#stopWatching ??= this.#provider.watch?.(() => (this.#isDirty = true)) ?? (() => {});
    const age = this.#settings.now() - this.#builtAt;
    // A watched provider reports changes, but a signature has to be renewed without any.
    const isWatched = this.#provider.watch !== undefined && this.#settings.signIndex === undefined;
    const isStale = !isWatched && !(age >= 0 && age < this.#settings.staleAfterMs);
    if (this.#site !== null && !this.#isDirty && !isStale) return this.#site;
    if (!sharesPromises()) return await abortable(() => this.#build(), signal);
    this.#building ??= this.#build().finally(() => (this.#building = null));
    const building = this.#building;
    return await abortable(() => building, signal);
  }

  /** The same, and reports the progress. */
  async primed(onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<Site> {
    this.#watchers.add(onProgress);
    try {
      return await this.current(signal);
    } finally {
      this.#watchers.delete(onProgress);
    }
  }

  /** A file of the site, or of the site before, for a while. */
  find(site: Site, path: string): SiteFile | null {
    const file = site.files.get(path);
    if (file !== undefined) return file;
    const old = this.#superseded.get(path);
    if (old === undefined) return null;
    if (this.#settings.now() < old.until) return old.file;
    this.#superseded.delete(path);
    return null;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatching?.();
  }

  async #build(): Promise<Site> {
    try {
      // A source that changes while it is read would give a mix of old and new, so it is read
      // again.
      for (let attempt = 1; ; attempt += 1) {
        this.#isDirty = false;
        const tell = (done: number, total: number): void => {
          for (const watcher of this.#watchers) watcher(done, total);
        };
        const read = await readSkills(this.#provider, this.#settings, this.#site?.skills ?? [], undefined, tell);
        const site = await buildSite(read, this.#settings, this.#site);
        if (this.#isDirty && attempt < mostRebuilds) continue;
        this.#replace(site);
        return site;
      }
    } catch (error) {
      // The next request tries again. Until then, the old site is served.
      this.#isDirty = true;
      if (!SkillError.isInstance(error)) throw error;
      this.#failure = error;
      if (this.#site === null) throw error;
      return this.#site;
    }
  }

  #replace(site: Site): void {
    const now = this.#settings.now();
    const published = new Set(site.skills.map(({ metadata }) => metadata.name));
    for (const [path, { file, until }] of this.#superseded) {
      // A withdrawn skill is not served any more.
      if (now >= until || (file.skill !== undefined && !published.has(file.skill))) this.#superseded.delete(path);
    }
    for (const [path, file] of this.#site?.files ?? []) {
      // Signatures of the previous index stay as well, because a reader may have just that index.
      if (!site.files.has(path) && (file.skill === undefined ? path.endsWith('.sig') : published.has(file.skill)))
        this.#superseded.set(path, { file, until: now + this.#settings.keepSupersededMs });
    }
    this.#site = site;
    this.#builtAt = now;
    this.#failure = null;
  }
}
