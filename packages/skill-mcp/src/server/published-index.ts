import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded, sharesPromises } from '@repertoire/skills-core/provider';
import { entryProblems } from '../provider/entry-problems.ts';
import { messageOf } from '../provider/mcp-call.ts';
import { publishedEntry, type PublishedEntry } from './published-entry.ts';
import type { PublishSettings } from './publish-skills-options.ts';

/** What the extension asks hosts to take; more is not published. */
const maxFiles = 512;
const maxSkillBytes = 16_777_216;
/** Skills whose files are read at the same time. */
const concurrency = 8;

/** Everything that is published, by URI. */
export interface PublishedListing {
  /** In ascending order of URI. */
  readonly entries: readonly PublishedEntry[];
  readonly byRoot: ReadonlyMap<string, PublishedEntry>;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** The entries of a provider's skills, made when they are first asked for and kept until something changes. Several servers can share it. */
export class PublishedIndex {
  readonly #provider: SkillProvider;
  readonly #settings: PublishSettings;
  #kept: { readonly listing: PublishedListing | Promise<PublishedListing>; readonly until: number } | undefined;
  #changes = 0;

  constructor(provider: SkillProvider, settings: PublishSettings) {
    this.#provider = provider;
    this.#settings = settings;
  }

  invalidate(): void {
    this.#changes += 1;
    this.#kept = undefined;
  }

  async listing(): Promise<PublishedListing> {
    const { now, refreshMs } = this.#settings;
    if (this.#kept !== undefined && now() < this.#kept.until) return await this.#kept.listing;
    const until = this.#provider.watch === undefined ? now() + refreshMs : Number.POSITIVE_INFINITY;
    if (!sharesPromises()) {
      // Kept once it is there, so that nobody waits for another's.
      const changes = this.#changes;
      const own = await this.#make();
      if (changes === this.#changes) this.#kept = { listing: own, until };
      return own;
    }
    const listing = this.#make();
    const kept = { listing, until };
    this.#kept = kept;
    // A failure is nobody's but the caller's: the next one tries again.
    listing.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return await listing;
  }

  /** The entry of one skill as it is now, files and all; `null` where it is gone. */
  async renewed({ name, version, root }: PublishedEntry): Promise<PublishedEntry | null> {
    try {
      return await publishedEntry(this.#provider, { name, version, description: '' }, root);
    } catch (error) {
      // A newest version that is another by now, or files that are just being written: what was published is no longer there.
      if (SkillError.isInstance(error) && (error.code === 'unsupported' || error.code === 'resource-not-found')) return null;
      throw error;
    }
  }

  async #make(): Promise<PublishedListing> {
    const roots = rootsOf(await this.#provider.listSkills(), this.#settings.base);
    const entries: PublishedEntry[] = [];
    const diagnostics: SkillDiagnostic[] = [];
    const read = async ({ skill, root }: (typeof roots)[number]): Promise<void> => {
      try {
        const entry = await publishedEntry(this.#provider, skill, root);
        if (entry === null) return;
        const problems = this.#problemsOf(entry);
        if (problems.length > 0) diagnostics.push(notPublished(entry.name, problems.join('; '), this.#settings.profile === 'lenient'));
        if (problems.length === 0 || (this.#settings.profile === 'lenient' && !isTooLarge(entry))) entries.push(entry);
      } catch (error) {
        // One skill that cannot be read is no matter of the others; a source that cannot answer is.
        if (SkillError.isInstance(error) && (error.code === 'source-unavailable' || error.code === 'timeout')) throw error;
        diagnostics.push(notPublished(skill.name, messageOf(error), false));
      }
    };
    await forEachBounded(roots, concurrency, read);
    entries.sort((a, b) => (a.root < b.root ? -1 : 1));
    diagnostics.sort((a, b) => ((a.skill ?? '') < (b.skill ?? '') ? -1 : 1));
    return { entries, byRoot: new Map(entries.map((entry) => [entry.root, entry])), diagnostics };
  }

  #problemsOf({ name, entry, files }: PublishedEntry): string[] {
    const problems = entryProblems(entry.frontmatter, name);
    if (files.size > maxFiles) problems.push(`it has ${files.size} files, and the extension allows ${maxFiles}`);
    const bytes = sizeOf(files);
    if (bytes > maxSkillBytes) problems.push(`its files have ${bytes} bytes, and the extension allows ${maxSkillBytes}`);
    return problems;
  }
}

function isTooLarge({ files }: PublishedEntry): boolean {
  return files.size > maxFiles || sizeOf(files) > maxSkillBytes;
}

function sizeOf(files: PublishedEntry['files']): number {
  return [...files.values()].reduce((sum, { size }) => sum + size, 0);
}

/** Where each skill lies. The newest version of a name has the short URI; older ones lie in a folder that no name of the standard can be. */
function rootsOf(skills: readonly SkillMetadata[], base: string): { readonly skill: SkillMetadata; readonly root: string }[] {
  const seen = new Set<string>();
  return skills.map((skill) => {
    const { name, version } = skill;
    const isNewest = !seen.has(name);
    seen.add(name);
    const folder = name.split('/').map(encodeURIComponent).join('/');
    return { skill, root: `${base}${isNewest ? '' : `_versions/${encodeURIComponent(version ?? '')}/`}${folder}/` };
  });
}

function notPublished(name: string, why: string, isListed: boolean): SkillDiagnostic {
  return {
    code: isListed ? 'skill-not-standard' : 'skill-not-published',
    severity: isListed ? 'warning' : 'error',
    message: isListed
      ? `Skill ${JSON.stringify(name)} is published, but clients that keep to the extension will refuse it: ${why}.`
      : `Skill ${JSON.stringify(name)} is not published: ${why}.`,
    skill: name,
    fix: 'Change the skill so that it keeps to the Agent Skills standard.',
  };
}
