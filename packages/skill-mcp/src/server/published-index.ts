import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { isJsonObject, sharesPromises, compareText } from '@repertoire/skills-core/internal';
import { abortable, forEachBounded, readListing } from '@repertoire/skills-core/provider';
import { entryProblems } from '../provider/entry-problems.ts';
import { startOfMessage } from '../provider/mcp-call.ts';
import { metadataOfFrontmatter } from '../provider/metadata-of-frontmatter.ts';
import { officialProblems } from './official-problems.ts';
import { publishedEntry, type PublishedEntry } from './published-entry.ts';
import type { PublishSettings } from './serve-skills-over-mcp-options.ts';

/** The extension asks hosts for this many; larger skills are not published. */
const maxFiles = 512;
const maxSkillBytes = 16_777_216;
const mostNamed = 20;
const concurrency = 8;

interface MadeEntry {
  readonly entry: PublishedEntry | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

interface PlannedSkill {
  readonly skill: SkillMetadata;
  readonly root: string;
}

interface Plan {
  /** In ascending order of URI. */
  readonly planned: readonly PlannedSkill[];
  readonly byRoot: ReadonlyMap<string, PlannedSkill>;
  readonly diagnostics: readonly SkillDiagnostic[];
  readonly made: Map<string, MadeEntry | Promise<MadeEntry>>;
}

/** A part of what is published. */
export interface PublishedPage {
  /** In ascending order of URI. */
  readonly entries: readonly PublishedEntry[];
  /** Whether others follow. */
  readonly hasMore: boolean;
}

/**
 * The entries of a provider's skills. Each is built on first request, or while a client reads the
 * page before, so that nobody waits for skills that they did not ask for. They are cached until
 * something changes. Several servers can share it.
 */
export class PublishedIndex {
  readonly #provider: SkillProvider;
  readonly #settings: PublishSettings;
  #kept: { readonly plan: Plan | Promise<Plan>; readonly until: number } | undefined;
  #changes = 0;

  constructor(provider: SkillProvider, settings: PublishSettings) {
    this.#provider = provider;
    this.#settings = settings;
  }

  invalidate(): void {
    this.#changes += 1;
    this.#kept = undefined;
  }

  /** The first `size` entries whose URI comes after `after`. */
  async page(after: string | undefined, size: number): Promise<PublishedPage> {
    const plan = await this.#plan();
    const rest = after === undefined ? plan.planned : plan.planned.filter(({ root }) => root > after);
    const entries: PublishedEntry[] = [];
    // One more than the page size shows whether more follow.
    for (let at = 0; at < rest.length && entries.length <= size;) {
      const wanted = rest.slice(at, at + size + 1 - entries.length);
      entries.push(...(await this.#entriesOf(plan, wanted)));
      at += wanted.length;
    }
    const next = entries[size];
    if (next !== undefined) this.#makeAhead(plan, rest, next.root, size);
    return { entries: entries.slice(0, size), hasMore: entries.length > size };
  }

  /** The skill at a URI that ends with a slash. */
  async at(root: string): Promise<PublishedEntry | null> {
    const plan = await this.#plan();
    const planned = plan.byRoot.get(root);
    return planned === undefined ? null : (await this.#made(plan, planned)).entry;
  }

  /** All skills whose URI passes a test. */
  async where(accepts: (root: string) => boolean): Promise<readonly PublishedEntry[]> {
    const plan = await this.#plan();
    return await this.#entriesOf(
      plan,
      plan.planned.filter(({ root }) => accepts(root)),
    );
  }

  /** Builds every entry and reports progress. */
  async prime(onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<void> {
    const plan = await abortable(() => this.#plan(), signal);
    const total = plan.planned.length;
    let done = 0;
    onProgress(done, total);
    const make = async (planned: PlannedSkill): Promise<void> => {
      await this.#made(plan, planned);
      done += 1;
      onProgress(done, total);
    };
    await abortable(() => forEachBounded(plan.planned, concurrency, make, signal), signal);
  }

  /** One line on what is left out, then a diagnostic for each skill. */
  async diagnostics(): Promise<readonly SkillDiagnostic[]> {
    const plan = await this.#plan();
    const all: SkillDiagnostic[] = [...plan.diagnostics];
    await this.#entriesOf(plan, plan.planned);
    for (const planned of plan.planned) all.push(...(await this.#made(plan, planned)).diagnostics);
    all.sort((a, b) => compareText(a.skill ?? '', b.skill ?? ''));
    const leftOut = new Set(all.flatMap(({ code, skill }) => (code === 'skill-not-published' ? [skill ?? ''] : [])));
    return leftOut.size === 0 ? all : [someLeftOut([...leftOut], plan.planned.length), ...all];
  }

  /** The entry of one skill, built again with its files; `null` if it no longer exists. */
  async renewed({ name, version, root }: PublishedEntry): Promise<PublishedEntry | null> {
    try {
      return await publishedEntry(this.#provider, { name, version }, root, this.#settings.rewriteSkillMd);
    } catch (error) {
      // The skill changed since it was indexed; treat it as gone.
      if (SkillError.isInstance(error) && error.code === 'resource-not-found') return null;
      throw error;
    }
  }

  async #plan(): Promise<Plan> {
    const { now, refreshMs } = this.#settings;
    if (this.#kept !== undefined && now() < this.#kept.until) return await this.#kept.plan;
    const until = this.#provider.watch === undefined ? now() + refreshMs : Number.POSITIVE_INFINITY;
    if (!sharesPromises()) {
      // Cached after it has settled, so that nobody waits for another request.
      const changes = this.#changes;
      const own = await this.#makePlan();
      if (changes === this.#changes) this.#kept = { plan: own, until };
      return own;
    }
    const plan = this.#makePlan();
    const kept = { plan, until };
    this.#kept = kept;
    // A failure only affects this caller; the next one tries again.
    plan.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return await plan;
  }

  async #makePlan(): Promise<Plan> {
    const listing = await readListing(this.#provider);
    const planned = rootsOf(listing.skills, this.#settings.base).sort((a, b) => (a.root < b.root ? -1 : 1));
    const diagnostics: SkillDiagnostic[] = listing.diagnostics.filter(({ severity }) => severity === 'error');
    if (!listing.complete) diagnostics.push(incomplete(this.#provider));
    return { planned, byRoot: new Map(planned.map((one) => [one.root, one])), diagnostics, made: new Map() };
  }

  async #entriesOf(plan: Plan, planned: readonly PlannedSkill[]): Promise<PublishedEntry[]> {
    const entries: (PublishedEntry | null)[] = planned.map(() => null);
    await forEachBounded(planned, concurrency, async (one, index) => {
      entries[index] = (await this.#made(plan, one)).entry;
    });
    return entries.filter((entry) => entry !== null);
  }

  /** Builds the page after this one while the client reads this one. */
  #makeAhead(plan: Plan, rest: readonly PlannedSkill[], from: string, size: number): void {
    // In Workers, no request may wait for what another one started.
    if (!sharesPromises()) return;
    const at = rest.findIndex(({ root }) => root >= from);
    // Whoever asks for it is told of a failure.
    void this.#entriesOf(plan, rest.slice(at, at + size + 1)).catch(() => {});
  }

  async #made({ made }: Plan, planned: PlannedSkill): Promise<MadeEntry> {
    const { root } = planned;
    const known = made.get(root);
    if (known !== undefined) return await known;
    const making = this.#make(planned);
    if (sharesPromises()) made.set(root, making);
    try {
      const entry = await making;
      made.set(root, entry);
      return entry;
    } catch (error) {
      if (made.get(root) === making) made.delete(root);
      throw error;
    }
  }

  async #make({ skill, root }: PlannedSkill): Promise<MadeEntry> {
    try {
      const made = await publishedEntry(this.#provider, skill, root, this.#settings.rewriteSkillMd);
      if (made === null) return { entry: null, diagnostics: [] };
      const problems = await this.#problemsOf(made);
      const diagnostics: SkillDiagnostic[] = [...made.faults, ...versionChanged(made)];
      const entry: PublishedEntry = { ...made, head: '' };
      const isLenient = this.#settings.profile === 'lenient';
      if (problems.length > 0) diagnostics.push(notPublished(entry.name, problems.join('; '), isLenient));
      const isPublished = problems.length === 0 || (isLenient && !isTooLarge(entry));
      return { entry: isPublished ? entry : null, diagnostics };
    } catch (error) {
      // An unreadable skill does not affect the others. A source that cannot answer does.
      if (SkillError.isInstance(error) && (error.code === 'source-unavailable' || error.code === 'timeout')) throw error;
      return { entry: null, diagnostics: [notPublished(skill.name, startOfMessage(error), false)] };
    }
  }

  async #problemsOf({ name, entry, files, head, problems: own }: PublishedEntry): Promise<string[]> {
    const problems = [...own, ...(own.length > 0 ? [] : entryProblems(entry.frontmatter, name))];
    if (problems.length === 0) problems.push(...(await officialProblems(name, head, entry.frontmatter)));
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

/** URIs of skills. Older versions are in a folder whose name no skill can have. */
function rootsOf(skills: readonly SkillMetadata[], base: string): PlannedSkill[] {
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

/** A summary first: who publishes hundreds of skills reads no long list. */
function someLeftOut(names: readonly string[], total: number): SkillDiagnostic {
  const named = names.slice(0, mostNamed).join(', ');
  const others = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return {
    code: 'skills-not-published',
    severity: 'warning',
    message: `${names.length} of ${total} skills are not published: ${named}${others}.`,
    fix: 'See the reason of each, or publish what only breaks a rule of the format with profile: "lenient" or rewriteSkillMd.',
  };
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

/** The frontmatter is sent as JSON, where the number 1.10 becomes 1.1. */
function versionChanged({ name, version, root, entry }: PublishedEntry): SkillDiagnostic[] {
  // Text is not affected.
  if (!mayChange(entry.frontmatter)) return [];
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

function mayChange(frontmatter: Readonly<Record<string, unknown>>): boolean {
  const { version, metadata } = frontmatter;
  const inner = isJsonObject(metadata) ? metadata['version'] : undefined;
  return [version, inner].some((value) => value !== undefined && typeof value !== 'string');
}

function incomplete({ label }: SkillProvider): SkillDiagnostic {
  return {
    code: 'listing-incomplete',
    severity: 'warning',
    message: `"${label}" could not list all of its skills, so that some may be missing here.`,
    fix: 'See the diagnostics of the provider.',
  };
}
