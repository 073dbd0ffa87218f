import { SkillError, type SkillMetadata, type SkillProvider, type SkillSession } from '@repertoire/skills-core';
import { assertKnownOptions, newestOfEach, type OptionRules } from '@repertoire/skills-core/internal';
import { readListing, readSkillFiles } from '@repertoire/skills-core/provider';
import { uploadSkill, type ProviderReference } from 'ai';

/** A model provider that accepts skills: the provider itself, or its `skills()`. */
export type SkillsApi = Parameters<typeof uploadSkill>[0]['api'];

/** Earlier uploads by `<provider>:<digest>`: a `Map`, or a database for all processes. */
export interface UploadedSkills {
  get(key: string): ProviderReference | undefined | Promise<ProviderReference | undefined>;
  set(key: string, reference: ProviderReference): unknown;
}

/** Options of {@link uploadSkills}. */
export interface UploadSkillsOptions {
  /** The model providers by name: `{ anthropic, openai }`. */
  readonly apis: Readonly<Record<string, SkillsApi>>;
  /** Earlier uploads. @default none, and new ones are not kept */
  readonly uploaded?: UploadedSkills | undefined;
  /** Which skills to upload. @default those of trusted sources: providers run scripts */
  readonly select?: ((skill: SkillMetadata) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome for one skill and one provider. */
export interface SkillUpload {
  readonly skill: string;
  readonly version: string | null;
  /** Name of the provider. */
  readonly provider: string;
  /** `kept`: the same bytes were uploaded before. `unsupported`: the provider accepts no skills. */
  readonly status: 'uploaded' | 'kept' | 'failed' | 'unsupported';
  /** Digest of the skill: SHA-256 in lower-case hex. */
  readonly digest?: string | undefined;
  /** The provider's reference to the skill. */
  readonly reference?: ProviderReference | undefined;
  /** Why it failed. */
  readonly error?: unknown;
}

/** The outcome of {@link uploadSkills}. */
export interface SkillUploads {
  readonly uploads: readonly SkillUpload[];
  /**
   * The references of a provider for one request, by the name of the skill.
   *
   * @param names the skills of the request. @default all
   * @throws {SkillError} `limit-exceeded` for more skills than the provider accepts in one request:
   *   8 at Anthropic
   */
  referencesFor(provider: string, names?: readonly string[]): Readonly<Record<string, ProviderReference>>;
}

const knownOptions: OptionRules<UploadSkillsOptions> = {
  apis: '{}',
  uploaded: '{}',
  select: '()',
  signal: '{}',
};

/**
 * Uploads skills to model providers that run skills themselves. Each content is uploaded once: it
 * is recognized by its digest. A skill that fails does not stop the others. The provider decides
 * when a skill is read; gates, permissions and state of this library do not apply there.
 *
 * @throws the reason of the signal
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
  options: UploadSkillsOptions,
): Promise<SkillUploads> {
  assertKnownOptions('uploadSkills', options, knownOptions);
  const { apis, uploaded = new Map(), select = isFromTrustedSource, signal } = options;
  const provider = 'provider' in source ? source.provider : source;
  const listed = 'provider' in source ? source.session.catalog.skills : newestOfEach((await readListing(provider, { signal })).skills);
  const uploads: SkillUpload[] = [];
  // One by one, for memory and rate limits.
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
    referencesFor(name, names) {
      const made = uploads.filter(({ provider: by, skill }) => by === name && (names?.includes(skill) ?? true));
      return forOneRequest(
        name,
        made.flatMap(({ skill, reference }) => (reference === undefined ? [] : [[skill, reference]])),
      );
    },
  };
}

/** The most skills of a request; the provider would refuse all of it. */
const maxSkillsOfRequest: Readonly<Record<string, number>> = { anthropic: 8 };

function forOneRequest(name: string, references: (readonly [string, ProviderReference])[]): Readonly<Record<string, ProviderReference>> {
  const keys = Object.keys(references[0]?.[1] ?? {});
  const most = Math.min(...keys.map((key) => maxSkillsOfRequest[key] ?? Infinity));
  if (references.length > most) {
    throw new SkillError(
      'limit-exceeded',
      `${name} accepts at most ${most} skills in one request, and ${references.length} were uploaded. Choose: referencesFor(${JSON.stringify(name)}, names).`,
    );
  }
  return Object.fromEntries(references);
}

function uploadKey(provider: string, digest: string): string {
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

function inFolder(name: string, files: Readonly<Record<string, Uint8Array>>): { path: string; data: Uint8Array }[] {
  return Object.entries(files).map(([path, data]) => ({ path: `${name}/${path}`, data }));
}

function isFromTrustedSource({ origin }: SkillMetadata): boolean {
  return origin?.trusted === true;
}
