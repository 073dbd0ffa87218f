import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded, readListing, sharesPromises } from '@repertoire/skills-core/provider';
import { entryProblems } from '../provider/entry-problems.ts';
import { messageOf } from '../provider/mcp-call.ts';
import { metadataOfFrontmatter } from '../provider/metadata-of-frontmatter.ts';
import { officialProblems } from './official-problems.ts';
import { publishedEntry, type PublishedEntry } from './published-entry.ts';
import type { PublishSettings } from './serve-skills-over-mcp-options.ts';

/** What the extension asks hosts to take; more is not published. */
const maxFiles = 512;
const maxSkillBytes = 16_777_216;
const nothing = new Uint8Array();
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
      // Cached only once it has settled, so that no request waits for another.
      const changes = this.#changes;
      const own = await this.#make();
      if (changes === this.#changes) this.#kept = { listing: own, until };
      return own;
    }
    const listing = this.#make();
    const kept = { listing, until };
    this.#kept = kept;
    // A failure is not cached: the next caller tries again.
    listing.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return await listing;
  }

  /** The entry of one skill as it is now, files and all; `null` where it is gone. */
  async renewed({ name, version, root }: PublishedEntry): Promise<PublishedEntry | null> {
    try {
      return await publishedEntry(this.#provider, { name, version }, root, this.#settings.rewriteSkillMd);
    } catch (error) {
      // The skill changed since it was indexed; treat it as gone.
      if (SkillError.isInstance(error) && error.code === 'resource-not-found') return null;
      throw error;
    }
  }

  async #make(): Promise<PublishedListing> {
    const listing = await readListing(this.#provider);
    const roots = rootsOf(listing.skills, this.#settings.base);
    const entries: PublishedEntry[] = [];
    const diagnostics: SkillDiagnostic[] = listing.diagnostics.filter(({ severity }) => severity === 'error');
    if (!listing.complete) diagnostics.push(incomplete(this.#provider));
    const read = async ({ skill, root }: (typeof roots)[number]): Promise<void> => {
      try {
        const made = await publishedEntry(this.#provider, skill, root, this.#settings.rewriteSkillMd);
        if (made === null) return;
        const problems = await this.#problemsOf(made);
        diagnostics.push(...made.faults, ...versionChanged(made));
        const entry: PublishedEntry = { ...made, skillMd: nothing };
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

  async #problemsOf({ name, entry, files, skillMd, problems: own }: PublishedEntry): Promise<string[]> {
    const problems = [...own, ...(own.length > 0 ? [] : entryProblems(entry.frontmatter, name))];
    if (problems.length === 0) problems.push(...(await officialProblems(name, skillMd, entry.frontmatter)));
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
    const older = version === null ? '_unversioned/' : `_versions/${encodeURIComponent(version)}/`;
    return { skill, root: `${base}${isNewest ? '' : older}${folder}/` };
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
    fix: isListed
      ? 'Change the skill so that it keeps to the Agent Skills standard.'
      : 'Change the skill so that it keeps to the Agent Skills standard, or publish a SKILL.md that is written anew with rewriteSkillMd.',
  };
}

/** A frontmatter goes over the wire as JSON, in which the number 1.10 is 1.1. */
function versionChanged({ name, version, root, entry }: PublishedEntry): SkillDiagnostic[] {
  const { metadata } = metadataOfFrontmatter(entry.frontmatter, name, entry.uri);
  if (metadata === null || metadata.version === version) return [];
  return [
    {
      code: 'skill-version-changed',
      severity: 'warning',
      message: `Clients read the version ${JSON.stringify(version)} of skill ${JSON.stringify(name)} as ${JSON.stringify(metadata.version)}, since it is a number in its frontmatter.`,
      skill: name,
      path: root,
      fix: 'Put the version in quotes.',
    },
  ];
}

function incomplete({ label }: SkillProvider): SkillDiagnostic {
  return {
    code: 'listing-incomplete',
    severity: 'warning',
    message: `"${label}" could not list all of its skills, so that some may be missing here.`,
    fix: 'See the diagnostics of the provider.',
  };
}
