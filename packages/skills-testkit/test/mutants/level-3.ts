import type { SkillResource } from '@repertoire/skills-core/provider';
import { reading, type MutantsOf } from './mutant.ts';

/** Faults in reading files. */
export const level3Mutants: MutantsOf<'read'> = {
  'read/bytes': {
    fault: 'gives a subclass of Uint8Array, as Node does',
    mutate: (provider) => reading(provider, (resource) => ({ ...resource, bytes: new Chunk(resource.bytes) })),
  },
  'read/text-untouched': {
    fault: 'strips the byte order mark of a resource',
    mutate: (provider) =>
      reading(provider, (resource) =>
        resource.bytes[0] === 0xef ? { ...resource, bytes: resource.bytes.slice(3), size: resource.size - 3 } : resource,
      ),
    alsoBreaks: ['read/as-listed', 'read/skill-md'],
  },
  'read/as-listed': {
    fault: 'takes an empty file for a missing one',
    mutate: (provider) => reading(provider, (resource) => (resource.size === 0 ? null : resource)),
    alsoBreaks: ['resources/digests'],
  },
  'read/max-bytes': {
    fault: 'ignores maxBytes',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path, { ...options, maxBytes: undefined }),
    }),
    alsoBreaks: ['read/skill-md'],
  },
  'read/size-when-cut': {
    fault: 'tells the size of what it cut',
    mutate: (provider) => reading(provider, (resource) => ({ ...resource, size: resource.bytes.length })),
    alsoBreaks: ['read/skill-md'],
  },
  'read/odd-names': {
    fault: 'decodes paths as URLs',
    mutate: (provider) => ({
      ...provider,
      readResource: async (name, path, options) => provider.readResource(name, leniently(path, decodeURIComponent), options),
    }),
    alsoBreaks: ['read/not-normal', 'read/skill-md'],
  },
  'read/unknown': {
    fault: 'throws where the path is a folder',
    mutate: (provider) => ({
      ...provider,
      async readResource(name, path, options) {
        if (path === 'references') throw new Error('EISDIR: illegal operation on a directory, read');
        return provider.readResource(name, path, options);
      },
    }),
  },
  'read/prototype-names': {
    fault: 'looks paths up in a plain object',
    mutate: (provider) => ({
      ...provider,
      readResource: async (name, path, options) =>
        (await provider.readResource(name, path, options)) ?? (({} as Record<string, unknown>)[path] as SkillResource | undefined) ?? null,
    }),
  },
  'read/hostile': {
    fault: 'resolves backslashes',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path.replaceAll('\\', '/'), options),
    }),
  },
  'read/not-normal': {
    fault: 'cuts off the query of a path',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path.replace(/\?.*$/, ''), options),
    }),
    alsoBreaks: ['read/skill-md'],
  },
  'read/other-skill': {
    fault: 'leaks a path: follows `..` into the folder beside',
    mutate: (provider, files) => ({
      ...provider,
      async readResource(name, path, options) {
        const found = await provider.readResource(name, path, options);
        const { pathname } = new URL(path.replaceAll('#', '%23'), `https://source.invalid/${name}/`);
        const content = found === null ? files[pathname.slice(1)] : undefined;
        return typeof content === 'string' && path.startsWith('../')
          ? { path, bytes: new TextEncoder().encode(content), size: content.length, mediaType: 'text/markdown' }
          : found;
      },
    }),
  },
  'read/skill-md': {
    fault: 'reads SKILL.md in its own words',
    mutate: (provider) =>
      reading(provider, (resource) =>
        resource.path === 'SKILL.md' ? { ...resource, bytes: resource.bytes.filter((byte) => byte !== 13) } : resource,
      ),
  },
  'read/case': {
    fault: 'ignores the case of a path',
    mutate: (provider) => ({
      ...provider,
      async readResource(name, path, options) {
        const listed = (await provider.getSkill(name, { signal: options?.signal }))?.resources.find(
          (entry) => entry.path.toLowerCase() === path.toLowerCase(),
        );
        return provider.readResource(name, listed?.path ?? path, options);
      },
    }),
  },
};

function leniently(path: string, decode: (path: string) => string): string {
  try {
    return decode(path);
  } catch {
    return path;
  }
}

/** What Node's Buffer is, without Node. */
class Chunk extends Uint8Array {}
