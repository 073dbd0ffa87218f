import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillMetadata,
  SkillOrigin,
  SkillProvider,
  SkillResource,
} from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { SkillDefinition, SkillResourceSource } from '../contract/define-skill.ts';
import { compareResources, compareSkills } from '../contract/order.ts';
import { resourceEntry } from '../contract/resource-entry.ts';
import { isResourcePath } from '../contract/resource-path.ts';
import { abortable } from './support/abortable.ts';

/** Options of {@link inCodeSkillProvider}. */
export interface InCodeSkillProviderOptions {
  /** Names the source. @default 'code' */
  readonly label?: string | undefined;
  /** Code of the host is trusted; say `false` for skills that were bundled from elsewhere. @default true */
  readonly trusted?: boolean | undefined;
  /** The kind of source that its origin tells. @default 'code' */
  readonly kind?: string | undefined;
}

/**
 * Skills as TypeScript data: no I/O, no file system, the same in Node, a Worker and a browser. Lazy bodies and resources are called each time they are
 * asked for; what they return is copied, so nobody can change it for others.
 *
 * @throws {SkillError} `duplicate-skill` where two definitions share name and version; `invalid-skill` for one without a name or description, or with a
 * hostile path. It does not insist on the standard's rules for names: bundled skills of others are carried as they are, {@link defineSkill} checks one's own.
 * @example
 * ```ts
 * import { defineSkill, inCodeSkillProvider } from '@repertoire/skills-core';
 *
 * export const provider = inCodeSkillProvider([
 *   defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' }),
 * ]);
 * ```
 */
export function inCodeSkillProvider(skills: readonly SkillDefinition[], options: InCodeSkillProviderOptions = {}): SkillProvider {
  const origin: SkillOrigin = { kind: options.kind ?? 'code', label: options.label ?? 'code', trusted: options.trusted ?? true };
  const definitions = [...skills].sort(compareSkills);
  checkDefinitions(definitions, origin.label);
  const find = (name: string, version: string | undefined) =>
    definitions.find((candidate) => candidate.name === name && (version === undefined || candidate.version === version));

  return {
    label: origin.label,

    async listSkills({ signal }: SkillCallOptions = {}) {
      signal?.throwIfAborted();
      return definitions.map((definition) => metadataOf(definition, origin));
    },

    async getSkill(name: string, { version, signal }: GetSkillOptions = {}): Promise<Skill | null> {
      signal?.throwIfAborted();
      const definition = find(name, version);
      if (definition === undefined) return null;
      const body = typeof definition.body === 'function' ? await abortable(definition.body, signal) : definition.body;
      const resources = Object.entries(definition.resources ?? {})
        .map(([path, source]) => resourceEntry(path, fileOf(source)))
        .sort(compareResources);
      return { ...metadataOf(definition, origin), body: normalizeBody(body), resources };
    },

    async readResource(name: string, path: string, { version, maxBytes, signal }: ReadResourceOptions = {}): Promise<SkillResource | null> {
      signal?.throwIfAborted();
      const resources = find(name, version)?.resources;
      if (resources === undefined || !isResourcePath(path) || !Object.hasOwn(resources, path)) return null;
      const file = fileOf(resources[path] as SkillResourceSource);
      const bytes = bytesOf(await abortable(() => file.read(), signal));
      const { kind: _kind, ...entry } = resourceEntry(path, file);
      // `slice` copies, also where nothing is cut: the caller may change what it gets.
      return { ...entry, size: bytes.length, bytes: new Uint8Array(bytes).slice(0, maxBytes) };
    },
  };
}

function checkDefinitions(sorted: readonly SkillDefinition[], label: string): void {
  for (const [index, definition] of sorted.entries()) {
    const { name, description, version, resources } = definition;
    if (typeof name !== 'string' || name.trim() === '' || typeof description !== 'string' || description.trim() === '') {
      throw new SkillError('invalid-skill', `A skill of "${label}" has no name or no description: ${JSON.stringify(name)}. Give it both.`, {
        source: label,
      });
    }
    const previous = sorted[index - 1];
    if (previous?.name === name && previous.version === version) {
      throw new SkillError(
        'duplicate-skill',
        `"${label}" has two skills ${JSON.stringify(name)}${version === undefined ? '' : ` of version ${version}`}. Rename one, or give it another version.`,
        { skill: name, source: label },
      );
    }
    const hostile = Object.keys(resources ?? {}).find((path) => !isResourcePath(path) || path === 'SKILL.md');
    if (hostile !== undefined) {
      throw new SkillError(
        'invalid-skill',
        `Skill ${JSON.stringify(name)} has a resource ${JSON.stringify(hostile)}, which is no path inside a skill. Use a path such as "references/guide.md".`,
        { skill: name, path: hostile, source: label },
      );
    }
  }
}

function metadataOf({ body: _body, resources: _resources, ...metadata }: SkillDefinition, origin: SkillOrigin): SkillMetadata {
  // A deep copy: what is returned belongs to the caller.
  return structuredClone({ ...metadata, origin });
}

function normalizeBody(body: string): string {
  return body
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .trim();
}

type SkillResourceFile = Extract<SkillResourceSource, { read: unknown }>;

function fileOf(source: SkillResourceSource): { size?: number; digest?: string; read: SkillResourceFile['read'] } {
  if (typeof source === 'function') return { read: source };
  if (typeof source === 'object' && 'read' in source) return source as SkillResourceFile & { digest?: string };
  const bytes = bytesOf(source);
  return { size: bytes.length, read: () => bytes };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
