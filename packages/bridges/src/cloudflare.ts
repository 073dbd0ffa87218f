// Anything exported here is public API.
import { errorForModel, sourceFailed, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillResourceEntry } from '@repertoire/skills-core/provider';
import { bridgeOptions, type BridgeArguments, type BridgeOptions, type BridgeSource } from './view/bridge-options.ts';
import { skillView } from './view/skill-view.ts';
import { defined, exactText, type ViewedSkill } from './view/viewed-skill.ts';

/** Options of {@link cloudflareSkillSource}. */
export interface CloudflareSkillSourceOptions<Context> extends BridgeOptions<Context> {
  /** Names the source in diagnostics of `agents/skills`. @default the label of the provider */
  readonly id?: string | undefined;
}

const knownOptions: OptionRules<CloudflareSkillSourceOptions<undefined>> = { ...bridgeOptions, id: 'string' };

/** A failure as a value, as `agents/skills` has them. */
type CloudflareResult<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Error & Failure };

/**
 * A file without its content. Names and paths are branded texts there, which only `never` can be
 * given as.
 */
interface CloudflareResourceInfo {
  readonly path: never;
  readonly kind: 'script' | 'reference' | 'asset' | 'file';
  readonly encoding: 'text' | 'base64';
  readonly mimeType?: string;
  readonly size?: number;
}

/** A file: text, or base64. */
interface CloudflareResource extends CloudflareResourceInfo {
  readonly content: string;
}

/** A skill of a listing. */
interface CloudflareListedSkill {
  readonly skill: {
    readonly name: never;
    readonly description: string;
    readonly license?: string;
    readonly compatibility?: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly allowedTools: readonly string[];
    readonly extraFields: Readonly<Record<string, unknown>>;
    readonly body: string;
  };
  readonly resources: readonly CloudflareResourceInfo[];
}

interface SourceFailure {
  readonly _tag: 'SkillSourceError';
  readonly sourceId: string;
  readonly operation: 'list' | 'read-resource';
}
interface NotFound {
  readonly _tag: 'SkillResourceNotFoundError';
  readonly skill: never;
  readonly path: never;
}

/** A `SkillSource` of `agents/skills`. */
export interface CloudflareSkillSource {
  readonly id: string;
  list(): Promise<
    CloudflareResult<{ readonly skills: readonly CloudflareListedSkill[]; readonly invalid: readonly never[] }, SourceFailure>
  >;
  readResource(skill: string, path: string): Promise<CloudflareResult<CloudflareResource, SourceFailure | NotFound>>;
}

/**
 * Offers skills as a `SkillSource` of `agents/skills`, for `getSkills()` of Think. It never
 * rejects. A failure is returned as a value, and the catalog then keeps its previous skills.
 *
 * A catalog holds every body, so each list reads the skills whose content changed.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist
 * @example
 * ```ts
 * import { cloudflareSkillSource, type CloudflareSkillSource } from '@repertoire/bridges/cloudflare';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // class Support extends Think { getSkills() { return skillsOf(skillset); } }
 * export const skillsOf = (skillset: Skillset): CloudflareSkillSource[] => [cloudflareSkillSource(skillset)];
 * ```
 */
export function cloudflareSkillSource<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context, CloudflareSkillSourceOptions<Context>>
): CloudflareSkillSource {
  const view = skillView('cloudflareSkillSource', 'Cloudflare Agents', source, options, knownOptions);
  const id = options.id ?? ('provider' in source ? source.provider : source).label;
  const failed = (operation: SourceFailure['operation'], thrown: unknown) =>
    failure<SourceFailure>(errorForModel(sourceFailed(thrown).message), { _tag: 'SkillSourceError', sourceId: id, operation }, thrown);

  return {
    id,
    async list() {
      try {
        return { ok: true, value: { skills: (await view.getAll()).map(listed), invalid: [] } };
      } catch (thrown) {
        return failed('list', thrown);
      }
    },
    async readResource(skill, path) {
      try {
        const viewed = await view.get(skill);
        const entry = viewed?.files.find((file) => file.path === path);
        const file = entry === undefined ? null : await view.read(skill, path);
        if (entry === undefined || file === null) {
          const about = { _tag: 'SkillResourceNotFoundError', skill: skill as never, path: path as never } as const;
          return failure<NotFound>(`Resource not found: ${skill}/${path}`, about);
        }
        const text = exactText(file.bytes);
        const content = text ?? base64(file.bytes);
        return { ok: true, value: { ...infoOf(entry), size: file.size, encoding: text === null ? 'base64' : 'text', content } };
      } catch (thrown) {
        return failed('read-resource', thrown);
      }
    },
  };
}

function listed({ metadata, body, files }: ViewedSkill): CloudflareListedSkill {
  const { name, description, license, compatibility, allowedTools = [], fields = {} } = metadata;
  return {
    skill: {
      name: name as never,
      description,
      ...defined({ license, compatibility }),
      metadata: metadata.metadata ?? {},
      allowedTools,
      extraFields: fields,
      body,
    },
    resources: files.map(infoOf),
  };
}

/** What a file is before it was read: text by its media type. Its content tells. */
function infoOf({ path, kind, mediaType, size }: SkillResourceEntry): CloudflareResourceInfo {
  const isText = /^text\/|[/+](?:json|yaml|xml|javascript|typescript)$/.test(mediaType);
  return {
    path: path as never,
    kind: kind === 'script' || kind === 'reference' || kind === 'asset' ? kind : 'file',
    encoding: isText ? 'text' : 'base64',
    mimeType: mediaType,
    ...defined({ size }),
  };
}

function failure<Failure extends object>(message: string, about: Failure, cause?: unknown): { ok: false; error: Error & Failure } {
  return { ok: false, error: Object.assign(new Error(message, { cause }), about) };
}

/** In parts, since a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 8_192) binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(binary);
}
