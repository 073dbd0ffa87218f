import { deepFreeze } from '../contract/deep-freeze.ts';
import type { SkillDefinition, SkillResourceSource } from '../contract/define-skill.ts';
import { compareResources } from '../contract/order.ts';
import { resourceEntry } from '../contract/resource-entry.ts';
import { isResourcePath } from '../contract/resource-path.ts';
import { normalizeSkillName } from '../contract/skill-name.ts';
import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillDiagnostic,
  SkillListing,
  SkillMetadata,
  SkillOrigin,
  SkillProvider,
  SkillResource,
} from '../contract/skill-provider.ts';
import { checkCompatibility, checkDescription, checkName, type StandardLog } from '../format/check-standard.ts';
import { serializeSkillMd } from '../format/serialize-skill-md.ts';
import { checkDefinitions, copyFields, type VersionedDefinition } from './check-definitions.ts';
import { sha256Hex } from './digest/sha256-hex.ts';
import { isSha256Hex, skillDigestFromFileDigests } from './digest/skill-digest.ts';
import { abortable } from './support/abortable.ts';

interface FixedSkillProviderOptions {
  /** @default 'code' */
  readonly label?: string | undefined;
  /** @default true */
  readonly trusted?: boolean | undefined;
  /** The kind of source, for the origin of its skills. @default 'code' */
  readonly kind?: string | undefined;
}

/**
 * Skills in code that do not change: what `SkillRegistry` and `createSkillset({ skills })` stand
 * on. The rules of skills in code, which `SkillRegistry` documents, have their one home here.
 *
 * @throws {SkillError} `duplicate-skill`, `invalid-skill`
 */
export function fixedSkillProvider(skills: readonly SkillDefinition[], options: FixedSkillProviderOptions = {}): SkillProvider {
  const origin: SkillOrigin = { kind: options.kind ?? 'code', label: options.label ?? 'code', trusted: options.trusted ?? true };
  const definitions = checkDefinitions(skills, origin.label);
  const defined = definitions.map((definition): DefinedSkill => ({ definition, metadata: metadataOf(definition, origin) }));
  const listing: SkillListing = deepFreeze({
    skills: defined.map(({ metadata }) => metadata),
    diagnostics: definitions.flatMap(brokenRules),
    complete: true,
  });
  const gated = origin.trusted ? definitions.flatMap(({ skillMd, tools = [] }) => (skillMd === undefined ? tools : [])) : [];
  // The versions of a skill, the newest first.
  const byName = Map.groupBy(defined, ({ metadata }) => metadata.name);
  const find = (name: string, { version, place = name }: GetSkillOptions) =>
    place === name ? byName.get(name)?.find(({ metadata }) => version === undefined || metadata.version === version) : undefined;

  return {
    label: origin.label,
    trusted: origin.trusted,

    async listSkills({ signal } = {}) {
      signal?.throwIfAborted();
      return listing;
    },

    async getSkill(name, call = {}) {
      call.signal?.throwIfAborted();
      const skill = find(name, call);
      return skill === undefined ? null : await skillOf(skill, call);
    },

    async readResource(name, path, call = {}) {
      call.signal?.throwIfAborted();
      const skill = find(name, call);
      const source = skill === undefined ? undefined : sourceOf(skill.definition, path);
      return source === undefined ? null : await readSource(source, path, call);
    },

    async contentOf(name, call = {}) {
      call.signal?.throwIfAborted();
      const skill = find(name, call);
      return skill === undefined ? undefined : (await abortable(() => hashesOf(skill), call.signal)).content;
    },

    gatedTools: () => [...new Set(gated)],
    toolSet: () => (origin.trusted ? Object.assign({}, ...definitions.map(({ toolSet }) => toolSet)) : {}) as Record<string, object>,
  };
}

/**
 * A skill of the source, and its hashes after somebody asked for them. Never a promise of them:
 * requests may share the provider.
 */
interface DefinedSkill {
  readonly definition: VersionedDefinition;
  readonly metadata: SkillMetadata;
  hashes?: DefinedContent | undefined;
}

async function hashesOf(skill: DefinedSkill): Promise<DefinedContent> {
  const { definition, metadata } = skill;
  const body = typeof definition.body === 'function' ? '' : normalizeBody(definition.body);
  skill.hashes ??= await contentOfDefinition(definition, { ...metadata, body });
  return skill.hashes;
}

async function skillOf(skill: DefinedSkill, options: GetSkillOptions): Promise<Skill | null> {
  const { definition, metadata } = skill;
  const { digests, content } = await abortable(() => hashesOf(skill), options.signal);
  if (options.content !== undefined && content !== options.content) return null;
  const body = typeof definition.body === 'function' ? await abortable(definition.body, options.signal) : definition.body;
  const resources = Object.entries(definition.resources ?? {})
    .map(([path, source]) => resourceEntry(path, withDigest(fileOf(source), digests.get(path))))
    .sort(compareResources);
  return { ...metadata, content, body: normalizeBody(body), resources, diagnostics: brokenRules(definition) };
}

async function readSource(source: SkillResourceSource, path: string, options: ReadResourceOptions): Promise<SkillResource | null> {
  const { maxBytes, signal } = options;
  const file = fileOf(source);
  // A copy, also where nothing is cut: it is what is hashed, and the caller may change what it
  // gets.
  const bytes = new Uint8Array(bytesOf(await abortable(() => file.read(), signal)));
  const isHashed = options.digest !== undefined || isStatic(source);
  const digest = isHashed ? await abortable(() => sha256Hex(bytes), signal) : file.digest;
  if (isHashed && options.digest !== undefined && digest !== options.digest) return null;
  const { kind: _kind, ...entry } = resourceEntry(path, withDigest(file, digest));
  return { ...entry, size: bytes.length, bytes: maxBytes === undefined ? bytes : bytes.slice(0, maxBytes) };
}

function sourceOf({ resources, skillMd }: SkillDefinition, path: string): SkillResourceSource | undefined {
  if (path === 'SKILL.md') return skillMd;
  return resources !== undefined && isResourcePath(path) && Object.hasOwn(resources, path) ? resources[path] : undefined;
}

function metadataOf(
  { body: _body, resources: _resources, toolSet: _toolSet, skillMd, ...metadata }: VersionedDefinition,
  origin: SkillOrigin,
): SkillMetadata {
  // A bundled file is not the host's own code, and its origin says so.
  const kind = skillMd !== undefined && origin.kind === 'code' ? 'bundle' : origin.kind;
  return copyFields({ ...metadata, origin: { ...origin, kind } }, origin.label);
}

/** Not broken, but worth knowing. */
const noted: ReadonlySet<string> = new Set(['name-not-ascii', 'name-reserved-word']);

/**
 * What a file with the same fields would be told, without a place in it. A bundled file was told
 * when it was read.
 */
function brokenRules({ name, description, compatibility, skillMd }: SkillDefinition): SkillDiagnostic[] {
  if (skillMd !== undefined) return [];
  const found: SkillDiagnostic[] = [];
  // Not the log of files: what it knows of places weighs more than the checks.
  const log: StandardLog = {
    profile: 'lenient',
    report: ({ code, message, fix }) => found.push({ code, severity: noted.has(code) ? 'info' : 'warning', skill: name, message, fix }),
  };
  checkName(normalizeSkillName(name), undefined, log);
  checkDescription(description, 0, log);
  if (compatibility !== undefined) checkCompatibility(compatibility, 0, log);
  return found;
}

function normalizeBody(body: string): string {
  return body
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .trim();
}

type SkillResourceFile = Extract<SkillResourceSource, { read: unknown }>;

function isStatic(source: SkillResourceSource): boolean {
  return typeof source === 'string' || source instanceof Uint8Array;
}

function withDigest<File extends { digest?: string }>(file: File, digest: string | undefined): File {
  return digest === undefined ? file : { ...file, digest };
}

function fileOf(source: SkillResourceSource): { size?: number; digest?: string; read: SkillResourceFile['read'] } {
  if (typeof source === 'function') return { read: source };
  if (typeof source === 'object' && 'read' in source) return source as SkillResourceFile & { digest?: string };
  const bytes = bytesOf(source);
  return { size: bytes.length, read: () => bytes };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** What a skill in code consists of. */
interface DefinedContent {
  /** SHA-256 of each file that is a text, bytes, or comes with a digest, by path. */
  readonly digests: ReadonlyMap<string, string>;
  /** As {@link SkillMetadata.content}. */
  readonly content: string | null;
}

/**
 * Hashes what a definition holds. It calls no function: a body or a file that is made by one has no
 * digest, and the skill is unpinned then, unless the definition tells its content.
 *
 * @param served level 1 and the body as they are served, which the canonical `SKILL.md` is made of
 */
async function contentOfDefinition(
  { body, resources = {}, skillMd, content }: SkillDefinition,
  served: SkillMetadata & { readonly body: string },
): Promise<DefinedContent> {
  const digests = new Map<string, string>();
  for (const [path, source] of Object.entries(resources)) {
    const digest = await digestOf(source);
    if (digest !== undefined) digests.set(path, digest);
  }
  if (content !== undefined) return { digests, content };
  const main = typeof body === 'function' ? undefined : await digestOf(skillMd ?? serializeSkillMd(served));
  if (main === undefined || digests.size < Object.keys(resources).length) return { digests, content: null };
  return { digests, content: await skillDigestFromFileDigests({ ...Object.fromEntries(digests), 'SKILL.md': main }) };
}

async function digestOf(source: SkillResourceSource): Promise<string | undefined> {
  if (typeof source === 'string' || source instanceof Uint8Array) return await sha256Hex(source);
  const told = typeof source === 'object' && 'digest' in source ? source.digest : undefined;
  return told !== undefined && isSha256Hex(told) ? told : undefined;
}
