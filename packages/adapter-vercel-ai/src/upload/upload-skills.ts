import { SkillError, type SkillMetadata, type SkillProvider, type SkillSession } from '@repertoire/skills-core';
import { readListing, readSkillFiles } from '@repertoire/skills-core/provider';
import { uploadSkill, type ProviderReference } from 'ai';

/** A provider of models that takes skills: the provider itself, or its `skills()`. */
export type SkillsApi = Parameters<typeof uploadSkill>[0]['api'];

/** What was uploaded before, by {@link uploadKey}. A `Map` will do; to upload once for all processes, keep it in a database. */
export interface UploadedSkills {
  get(key: string): ProviderReference | undefined | Promise<ProviderReference | undefined>;
  set(key: string, reference: ProviderReference): unknown;
}

/** Options of {@link uploadSkills}. */
export interface UploadSkillsOptions {
  /** The providers, by the name that models know them by: `{ anthropic, openai }`. */
  readonly apis: Readonly<Record<string, SkillsApi>>;
  /** What was uploaded before. @default nothing, and it is forgotten afterwards */
  readonly uploaded?: UploadedSkills | undefined;
  /** Which skills. @default those of trusted sources: a provider runs their scripts */
  readonly select?: ((skill: SkillMetadata) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What became of one skill with one provider. */
export interface SkillUpload {
  readonly skill: string;
  readonly version: string | null;
  /** Name of the provider. */
  readonly provider: string;
  /** `kept`: it was there already, to the byte. `unsupported`: the provider takes no skills. */
  readonly status: 'uploaded' | 'kept' | 'failed' | 'unsupported';
  /** SHA-256 of the skill. */
  readonly digest?: string | undefined;
  /** By what the provider knows the skill. */
  readonly reference?: ProviderReference | undefined;
  /** Why it failed. */
  readonly error?: unknown;
}

/** What became of all. */
export interface SkillUploads {
  readonly uploads: readonly SkillUpload[];
  /** The references of a provider's skills, by the name of the skill. */
  referencesFor(provider: string): Readonly<Record<string, ProviderReference>>;
}

/**
 * Uploads skills to providers that run skills themselves, each content once: what was uploaded is known again by its digest. One that fails does not
 * keep the others back. The provider then decides by itself when a skill is read; gates, permissions and state of this library do not reach there.
 *
 * @throws the signal's reason
 * @example
 * ```ts
 * import { uploadSkills } from '@repertoire/adapter-vercel-ai/upload';
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import type { uploadSkill } from 'ai';
 *
 * export async function upload(provider: SkillProvider, anthropic: Parameters<typeof uploadSkill>[0]['api']) {
 *   const { referencesFor } = await uploadSkills(provider, { apis: { anthropic } });
 *   return Object.values(referencesFor('anthropic')).map((providerReference) => ({ type: 'custom' as const, providerReference }));
 * }
 * ```
 */
export async function uploadSkills(
  source: SkillProvider | { readonly provider: SkillProvider; readonly session: Pick<SkillSession, 'catalog'> },
  { apis, uploaded = new Map(), select = isFromTrustedSource, signal }: UploadSkillsOptions,
): Promise<SkillUploads> {
  const provider = 'provider' in source ? source.provider : source;
  const listed = 'provider' in source ? source.session.catalog.skills : newestOfEach((await readListing(provider, { signal })).skills);
  const uploads: SkillUpload[] = [];
  // One after another: of all skills, one at a time is in memory, and an API's rate limit is not run into.
  for (const skill of listed.filter(select)) {
    for (const [name, api] of Object.entries(apis)) {
      signal?.throwIfAborted();
      const { version } = skill;
      const about = { skill: skill.name, provider: name, version };
      uploads.push({ ...about, ...(await upload(provider, skill, { name, api, uploaded, signal })) });
    }
  }
  return {
    uploads,
    referencesFor: (name) =>
      Object.fromEntries(
        uploads.flatMap((made) => (made.provider === name && made.reference !== undefined ? [[made.skill, made.reference]] : [])),
      ),
  };
}

/** Under what an upload is kept: the provider's name and the digest of the skill. */
export function uploadKey(provider: string, digest: string): string {
  return `${provider}:${digest}`;
}

interface Target {
  readonly name: string;
  readonly api: SkillsApi;
  readonly uploaded: UploadedSkills;
  readonly signal: AbortSignal | undefined;
}

async function upload(
  provider: SkillProvider,
  { name, version }: SkillMetadata,
  { name: target, api, uploaded, signal }: Target,
): Promise<Omit<SkillUpload, 'skill' | 'version' | 'provider'>> {
  if (!('uploadSkill' in api) && typeof api.skills !== 'function') return { status: 'unsupported' };
  try {
    const options = { version, signal };
    const skill = await provider.getSkill(name, options);
    if (skill === null)
      throw new SkillError('skill-not-found', `Skill ${JSON.stringify(name)} was listed and is no longer there.`, { skill: name });
    const { files, digest } = await readSkillFiles(provider, skill, { signal });
    const known = await uploaded.get(uploadKey(target, digest));
    if (known !== undefined) return { status: 'kept', digest, reference: known };
    const { providerReference } = await uploadSkill({ api, files: inFolder(name, files), displayTitle: name });
    await uploaded.set(uploadKey(target, digest), providerReference);
    return { status: 'uploaded', digest, reference: providerReference };
  } catch (error) {
    signal?.throwIfAborted();
    return { status: 'failed', error };
  }
}

/** The files as providers want them: all in one folder of the skill's name. */
function inFolder(name: string, files: Readonly<Record<string, Uint8Array>>): { path: string; data: Uint8Array }[] {
  return Object.entries(files).map(([path, data]) => ({ path: `${name}/${path}`, data }));
}

function isFromTrustedSource({ origin }: SkillMetadata): boolean {
  return origin?.trusted === true;
}

function newestOfEach(listed: readonly SkillMetadata[]): SkillMetadata[] {
  return listed.filter((skill, index) => listed.findIndex(({ name }) => name === skill.name) === index);
}
