import type {
  Skill,
  SkillCallOptions,
  SkillListing,
  SkillMetadata,
  SkillOrigin,
  SkillProvider,
  SkillResource,
} from '../contract/skill-provider.ts';
import { isJsonObject } from '../contract/json-object.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import { compareResources, compareSkills } from '../contract/order.ts';
import { resourceEntry } from '../contract/resource-entry.ts';
import { isResourcePath } from '../contract/resource-path.ts';
import { SkillError } from '../errors/skill-error.ts';
import { parseAllowedTools } from '../format/allowed-tools.ts';
import { skillMetadataFromJson } from '../format/metadata-from-json.ts';
import { abortable } from './support/abortable.ts';

/** Level 1 of a skill of such a source. Other fields of {@link SkillMetadata} are read, too. */
export interface SimpleSkill {
  readonly name: string;
  readonly description: string;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Patterns, or the text of `allowed-tools`. A skill where it is something else is left out. */
  readonly allowedTools?: string | readonly string[] | undefined;
}

/** A source in the smallest shape: names and descriptions, a body, and files by their path. */
export interface SimpleSkillSource {
  listSkills(options?: SkillCallOptions): Promise<readonly SimpleSkill[]>;
  getSkill(
    name: string,
    options?: SkillCallOptions,
  ): Promise<
    | (SimpleSkill & {
        readonly body: string;
        readonly resources?: readonly { readonly path: string; readonly description?: string | undefined }[] | undefined;
      })
    | null
  >;
  /** @default the source has no files */
  readResource?(name: string, path: string): Promise<string | Uint8Array | null>;
}

/** Options of {@link simpleSkillProvider}. */
export interface SimpleSkillProviderOptions {
  /** Names the source. */
  readonly label: string;
  /** Whether the host trusts its skills. @default false */
  readonly trusted?: boolean | undefined;
}

const knownOptions: OptionRules<SimpleSkillProviderOptions> = { label: 'string', trusted: 'boolean' };

/**
 * Makes a `SkillProvider` from a source that lists names and returns texts, such as a provider that
 * was written for another library. Its skills have no version and no digests, so they are open:
 * what is loaded is not bound to its content. A listed skill without a name or a description is
 * left out, with a diagnostic.
 *
 * @throws {SkillError} `invalid-options` for a source without `listSkills` or `getSkill`
 * @example
 * ```ts
 * import { simpleSkillProvider } from '@repertoire/skills-core/provider';
 *
 * export const provider = simpleSkillProvider(
 *   {
 *     listSkills: async () => [{ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.' }],
 *     getSkill: async (name) => (name === 'haiku' ? { name, description: 'Writes haiku.', body: 'Five, seven, five.' } : null),
 *   },
 *   { label: 'poems' },
 * );
 * ```
 */
export function simpleSkillProvider(source: SimpleSkillSource, options: SimpleSkillProviderOptions): SkillProvider {
  assertKnownOptions('simpleSkillProvider', options, knownOptions);
  const { label, trusted = false } = options;
  if (typeof label !== 'string' || label === '' || typeof source?.listSkills !== 'function' || typeof source.getSkill !== 'function')
    throw new SkillError(
      'invalid-options',
      'simpleSkillProvider takes a source with listSkills and getSkill, and a label: { label: "…" }.',
    );
  const origin: SkillOrigin = { kind: 'simple', label, trusted };
  /** A restriction that cannot be read must not be lost, so such a skill is none. */
  const metadataOf = (given: unknown): SkillMetadata | null => {
    if (!isJsonObject(given)) return null;
    const asked = given['allowedTools'] ?? given['allowed-tools'];
    const allowed = typeof asked === 'string' ? parseAllowedTools(asked) : undefined;
    const ignored: string[] = [];
    const json = { ...given, version: null, ...(asked !== undefined && { allowedTools: allowed?.patterns ?? asked }) };
    const metadata = skillMetadataFromJson(json, (field) => ignored.push(field));
    if (ignored.includes('allowedTools') || (allowed?.issues.length ?? 0) > 0) return null;
    return metadata && { ...metadata, origin };
  };
  return {
    label,
    trusted,
    async listSkills(call): Promise<SkillListing> {
      const listed: unknown = await abortable(() => source.listSkills(call), call?.signal);
      if (!Array.isArray(listed))
        throw new SkillError('source-unavailable', `Source "${label}" answered no list. listSkills must return [{ name, description }].`, {
          source: label,
        });
      const skills = listed.flatMap((skill) => metadataOf(skill) ?? []).sort(compareSkills);
      const missing = listed.length - skills.length;
      if (missing === 0) return { skills, diagnostics: [], complete: true };
      const message = `${missing} of ${listed.length} skills of "${label}" have no name, no description or no readable allowedTools.`;
      const fix = 'Return { name, description } for each skill from listSkills, and allowedTools as a list of patterns if it has any.';
      return { skills, diagnostics: [{ code: 'definition-unusable', severity: 'warning', message, fix }], complete: false };
    },
    async getSkill(name, { signal, version } = {}): Promise<Skill | null> {
      if (version !== undefined && version !== null) return null;
      const skill = await abortable(() => source.getSkill(name, { signal }), signal);
      const metadata = metadataOf(skill);
      if (skill === null || metadata?.name !== name) return null;
      const resources = (skill.resources ?? [])
        .filter(({ path }) => isResourcePath(path) && path !== 'SKILL.md')
        .map(({ path, description }) => ({ ...resourceEntry(path, {}), ...(description !== undefined && { description }) }))
        .sort(compareResources);
      return { ...metadata, body: skill.body, content: null, resources, diagnostics: [] };
    },
    async readResource(name, path, { maxBytes, signal, version } = {}): Promise<SkillResource | null> {
      if (!isResourcePath(path) || path === 'SKILL.md' || (version !== undefined && version !== null)) return null;
      const content = await abortable(async () => (await source.readResource?.(name, path)) ?? null, signal);
      if (content === null) return null;
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
      const { kind: _kind, ...entry } = resourceEntry(path, { size: bytes.length });
      return { ...entry, size: bytes.length, bytes: maxBytes === undefined ? bytes : bytes.slice(0, maxBytes) };
    },
  };
}
