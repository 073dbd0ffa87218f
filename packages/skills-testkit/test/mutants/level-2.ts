import type { Skill } from '@repertoire/skills-core';
import { getting, reading, sha256, type MutantsOf } from './mutant.ts';

/** Faults in skills, their versions and their lists of files. */
export const level2Mutants: MutantsOf<'skill' | 'version' | 'versions' | 'resources'> = {
  'skill/same-level-1': {
    fault: 'gets more of a skill than it listed',
    mutate: (provider) => getting(provider, (skill) => ({ ...skill, license: 'MIT' })),
  },
  'skill/body': {
    fault: 'takes a rule in the body for the end of the frontmatter',
    mutate: (provider) => getting(provider, (skill) => ({ ...skill, body: skill.body.split('\n---\n').at(-1)?.trim() ?? '' })),
  },
  'skill/body-text': {
    fault: 'keeps CRLF',
    mutate: (provider, files) =>
      getting(provider, (skill) => ({
        ...skill,
        body: String(files[`${skill.name}/SKILL.md`]).includes('\r') ? skill.body.replaceAll('\n', '\r\n') : skill.body,
      })),
  },
  'skill/unknown': {
    fault: 'forgives the spelling of a name',
    mutate: (provider) => ({ ...provider, getSkill: (name, options) => provider.getSkill(name.trim().toLowerCase(), options) }),
  },
  'skill/prototype-names': {
    fault: 'looks names up in a plain object',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) =>
        (await provider.getSkill(name, options)) ?? (({} as Record<string, unknown>)[name] as Skill | undefined) ?? null,
    }),
  },
  'skill/unicode-names': {
    fault: 'serves ASCII names only',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) => (/^[ -~]*$/.test(name) ? provider.getSkill(name, options) : null),
    }),
  },
  'skill/no-contents': {
    fault: 'reads the files of a skill for their sizes',
    mutate: (provider) =>
      getting(provider, async (skill) => {
        for (const { path } of skill.resources) await provider.readResource(skill.name, path);
        return skill;
      }),
  },
  'skill/diagnostics': {
    fault: 'tells nothing of what is wrong with a skill',
    mutate: (provider) => getting(provider, ({ diagnostics: _diagnostics, ...skill }) => skill as Skill),
  },
  'version/exact': {
    fault: 'knows no version but the unnamed',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) => (typeof options?.version === 'string' ? null : provider.getSkill(name, options)),
    }),
    alsoBreaks: ['versions/own-files'],
  },
  'version/unknown': {
    fault: 'serves the newest version for an unknown one',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) => (await provider.getSkill(name, options)) ?? provider.getSkill(name, { signal: options?.signal }),
    }),
    alsoBreaks: ['version/null'],
  },
  'version/null': {
    fault: 'takes null for the newest',
    mutate: (provider) => ({
      ...provider,
      getSkill: (name, options) => provider.getSkill(name, { ...options, version: options?.version ?? undefined }),
      readResource: (name, path, options) => provider.readResource(name, path, { ...options, version: options?.version ?? undefined }),
    }),
    alsoBreaks: ['versions/own-files'],
  },
  'versions/newest': {
    fault: 'compares versions as text',
    mutate: (provider) => ({
      ...provider,
      getSkill: (name, options) =>
        provider.getSkill(name, name === 'report' && options?.version === undefined ? { ...options, version: '1.9.0' } : options),
    }),
  },
  'versions/own-files': {
    fault: 'reads the files of the newest version whatever is asked for',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path, { ...options, version: undefined }),
    }),
    alsoBreaks: ['version/null', 'version/unknown'],
  },
  'resources/complete': {
    fault: 'lists SKILL.md',
    mutate: (provider) =>
      getting(provider, (skill) =>
        skill.name === 'many-files'
          ? { ...skill, resources: skill.resources.toSpliced(1, 0, { path: 'SKILL.md', kind: 'other', mediaType: 'text/markdown' }) }
          : skill,
      ),
  },
  'resources/nfc': {
    fault: 'lists paths as the disk spells them',
    mutate: (provider) =>
      getting(provider, (skill) => ({
        ...skill,
        resources: skill.resources.map((entry) => ({ ...entry, path: entry.path.normalize('NFD') })),
      })),
    alsoBreaks: ['read/odd-names'],
  },
  'resources/kinds': {
    fault: 'takes every file for a reference',
    mutate: (provider) =>
      getting(provider, (skill) => ({ ...skill, resources: skill.resources.map((entry) => ({ ...entry, kind: 'reference' })) })),
  },
  'resources/media-types': {
    fault: 'tells the type of nothing',
    mutate: (provider) =>
      reading(
        getting(provider, (skill) => ({
          ...skill,
          resources: skill.resources.map((entry) => ({ ...entry, mediaType: 'application/octet-stream' })),
        })),
        (resource) => ({ ...resource, mediaType: 'application/octet-stream' }),
      ),
  },
  'resources/sizes': {
    fault: 'counts characters for bytes',
    mutate: (provider) =>
      getting(provider, (skill) => ({ ...skill, resources: skill.resources.map((entry) => ({ ...entry, size: (entry.size ?? 0) - 1 })) })),
  },
  'resources/digests': {
    fault: 'promises the digest of what it cut',
    mutate: (provider) => reading(provider, async (resource) => ({ ...resource, digest: await sha256(resource.bytes) })),
  },
  'resources/with-bytes': {
    fault: 'returns all bytes, however few are asked for',
    mutate: (provider) => ({
      ...provider,
      getSkill: (name, options) =>
        provider.getSkill(name, { ...options, ...(options?.withBytes !== undefined && { withBytes: Number.MAX_SAFE_INTEGER }) }),
    }),
  },
};
