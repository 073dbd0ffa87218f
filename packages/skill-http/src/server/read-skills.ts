import { withCardFiles } from '@repertoire/skill-cards';
import { SkillError, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { knownSkillMd, parsePlainSkillFrontmatter, readListedFile, skillSignatureFile, type Pace } from '@repertoire/skills-core/internal';
import {
  abortable,
  checkSkillName,
  forEachBounded,
  readListing,
  readSkillMd,
  resourceEntry,
  sha256Hex,
  skillDigestFromFileDigests,
} from '@repertoire/skills-core/provider';
import type * as skillMdReader from '@repertoire/skills-core/skill-md';
import type { PublishSettings } from './publish-options.ts';
import { fileCost, packingPace } from './packing-pace.ts';

const concurrency = 8;

/** A skill as files. */
export interface PublishedSkill {
  readonly metadata: SkillMetadata;
  /** `SKILL.md` first, then in the order of the contract. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of each file. */
  readonly digests: ReadonlyMap<string, string>;
  /** Digest of the files. */
  readonly digest: string;
  /** Bytes of all files together. */
  readonly size: number;
  /** Parts of the skill that cannot be used, such as a file that the provider does not list. */
  readonly faults: readonly SkillDiagnostic[];
}

/** Everything that is published, in the order of the contract. */
export interface PublishedSkills {
  readonly skills: readonly PublishedSkill[];
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether the provider listed all that it has. */
  readonly complete: boolean;
}

/** Reads all that may be published. Others are reported; unreachable ones stay as in `previous`. */
export async function readSkills(
  source: SkillProvider,
  settings: PublishSettings,
  previous: readonly PublishedSkill[],
  signal: AbortSignal | undefined,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<PublishedSkills> {
  const provider = settings.cards ? withCardFiles(source) : source;
  const listing = await readListing(source, { signal });
  const listed = listing.skills.filter((skill) => settings.select(skill));
  const results: (PublishedSkill | null)[] = listed.map(() => null);
  const diagnostics: SkillDiagnostic[] = listing.diagnostics.filter(({ severity }) => severity === 'error');
  if (!listing.complete) diagnostics.push(incomplete(provider));
  const leaveOut = (skill: SkillMetadata, why: string) =>
    diagnostics.push({
      code: 'skill-not-published',
      severity: 'error',
      message: `${title(skill)} is not published: ${why}`,
      skill: skill.name,
    });

  const pace = packingPace();
  let done = 0;
  onProgress(done, listed.length);
  const read = async (skill: SkillMetadata, index: number): Promise<void> => {
    try {
      const published = await readOne(provider, skill, settings, pace, signal);
      results[index] = published;
      diagnostics.push(...published.faults);
    } catch (error) {
      signal?.throwIfAborted();
      if (!SkillError.isInstance(error)) throw error;
      const before = previous.find(({ metadata }) => metadata.name === skill.name && metadata.version === skill.version);
      const isOutage = error.code === 'source-unavailable' || error.code === 'timeout';
      if (isOutage && before !== undefined) results[index] = before;
      else leaveOut(skill, error.message);
    }
    done += 1;
    onProgress(done, listed.length);
  };
  await forEachBounded(listed, concurrency, read, signal);

  let total = 0;
  const skills = results
    .filter((skill) => skill !== null)
    .filter((skill) => {
      total += skill.size;
      if (total <= settings.limits.totalBytes) return true;
      leaveOut(
        skill.metadata,
        `all skills together have more than ${settings.limits.totalBytes} bytes. Raise limits.totalBytes where that is right.`,
      );
      return false;
    });
  return { skills, diagnostics, complete: listing.complete };
}

async function readOne(
  provider: SkillProvider,
  { name, version }: SkillMetadata,
  { limits, rewriteSkillMd }: PublishSettings,
  pace: Pace,
  signal: AbortSignal | undefined,
): Promise<PublishedSkill> {
  const [issue] = checkSkillName(name);
  if (issue !== undefined) throw new SkillError('invalid-skill', `its name ${issue.message}, and would be no path.`, { skill: name });
  const skill = await abortable(() => provider.getSkill(name, { version, signal, withBytes: limits.skillBytes }), signal);
  if (skill === null || skill.version !== version)
    throw new SkillError('skill-not-found', 'it is listed and cannot be got. It may have changed meanwhile.', { skill: name });
  if (skill.resources.length + 1 > limits.files)
    throw new SkillError('limit-exceeded', `it has ${skill.resources.length + 1} files. Raise limits.files where that is right.`, {
      skill: name,
    });
  const { origin: _origin, content: _content, files: _files, resources, diagnostics, body, ...metadata } = skill;
  const { bytes: skillMd, digest: known } = rewriteSkillMd
    ? { bytes: new TextEncoder().encode((await yamlParser()).serializeSkillMd({ ...metadata, body })), digest: undefined }
    : await abortable(() => readSkillMd(provider, skill, { signal }), signal);
  await checkSkillMd(skillMd, name, limits.skillBytes);
  const files = new Map<string, Uint8Array>([['SKILL.md', skillMd]]);
  const digests = new Map<string, string>([['SKILL.md', known ?? (await sha256Hex(skillMd))]]);
  let size = skillMd.length;
  await pace.spend(size + fileCost);
  // Some sources do not list their signature, and a copy without it cannot be verified.
  const isListed = resources.some(({ path }) => path === skillSignatureFile);
  const unlisted =
    isListed || rewriteSkillMd ? null : await provider.readResource(name, skillSignatureFile, { version, maxBytes: 0, signal });
  for (const entry of [...resources, ...(unlisted === null ? [] : [resourceEntry(skillSignatureFile)])]) {
    const { path } = entry;
    const left = limits.skillBytes - size;
    const resource = left < 0 ? null : await readListedFile(provider, skill, entry, { maxBytes: left, signal });
    // Counts the larger number, because a source may report a size that is too small.
    if (resource !== null) size += Math.max(resource.size, resource.bytes.length);
    if (size > limits.skillBytes)
      throw new SkillError('limit-exceeded', `it has more than ${limits.skillBytes} bytes. Raise limits.skillBytes where that is right.`, {
        skill: name,
      });
    if (resource === null) throw new SkillError('resource-not-found', `its file ${path} cannot be read.`, { skill: name, path });
    files.set(path, resource.bytes);
    digests.set(path, resource.digest ?? (await sha256Hex(resource.bytes)));
    await pace.spend(resource.bytes.length + fileCost);
  }
  const faults = diagnostics.filter(({ severity }) => severity === 'error');
  const digest = await skillDigestFromFileDigests(Object.fromEntries(digests));
  return { metadata, files, digests, digest, size, faults };
}

/** Few frontmatters need it, and it is most of what a bundle with it weighs. */
async function yamlParser(): Promise<Pick<typeof skillMdReader, 'parseSkillFrontmatter' | 'serializeSkillMd'>> {
  return await import('@repertoire/skills-core/skill-md');
}

/** Readers of the index refuse a SKILL.md that says it is another skill. */
async function checkSkillMd(bytes: Uint8Array, name: string, maxBytes: number): Promise<void> {
  if (knownSkillMd(bytes)?.name === name) return;
  const options = { directoryName: name, maxBytes };
  const { metadata, diagnostics } =
    parsePlainSkillFrontmatter(bytes, options) ?? (await yamlParser()).parseSkillFrontmatter(bytes, options);
  if (metadata?.name === name) return;
  const fault = diagnostics.find(({ severity }) => severity === 'error')?.message;
  const why = metadata === null ? `cannot be read (${fault ?? 'no reason'})` : `says that its name is ${JSON.stringify(metadata.name)}`;
  throw new SkillError('invalid-skill', `its SKILL.md ${why}. Fix it, or publish one that is written anew with rewriteSkillMd.`, {
    skill: name,
  });
}

function incomplete({ label }: SkillProvider): SkillDiagnostic {
  return {
    code: 'listing-incomplete',
    severity: 'warning',
    message: `"${label}" could not list all of its skills, so that some may be missing here.`,
    fix: 'See the diagnostics of the provider.',
  };
}

function title({ name, version }: SkillMetadata): string {
  return `${JSON.stringify(name)}${version === null ? '' : ` ${version}`}`;
}
