import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { answering, getting, level1, listing, reading, sha256, type Mutant } from './mutant.ts';
import type { SkillProviderRequirementId } from '../../src/conformance/requirements.ts';

/** Further faults that a requirement must find. What else they break depends on how often the suite meets them. */
export const furtherMutants: readonly (Mutant & { readonly id: SkillProviderRequirementId })[] = [
  {
    id: 'abort/before',
    fault: 'tells a content though the call was aborted',
    mutate: (provider) => ({
      ...provider,
      contentOf: async (name, options) => await provider.contentOf(name, { ...options, signal: undefined }),
    }),
  },
  {
    id: 'list/level-1-only',
    fault: 'lists bodies',
    mutate: (provider) => listing(provider, (skills) => skills.map((skill) => ({ ...skill, body: '' }))),
  },
  {
    id: 'list/bad-skill',
    fault: 'lists a skill that it cannot get',
    mutate: (provider) => listing(provider, (skills) => [...skills, { name: 'zz-half', description: '', version: null }]),
  },
  {
    id: 'list/bad-skill',
    fault: 'gets a skill that it did not list',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) =>
        (await provider.getSkill(name, options)) ?? { name, description: name, version: null, body: '', resources: [], diagnostics: [] },
    }),
  },
  {
    id: 'skill/unknown',
    fault: 'throws for a skill that it does not know',
    mutate: (provider) => ({
      ...provider,
      async getSkill(name, options) {
        const skill = await provider.getSkill(name, options);
        if (skill === null) throw new SkillError('skill-not-found', `There is no ${name}.`);
        return skill;
      },
    }),
  },
  {
    id: 'skill/unknown',
    fault: 'answers undefined for a skill that it does not know',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) => (await provider.getSkill(name, options)) ?? (undefined as unknown as null),
    }),
  },
  {
    id: 'skill/no-contents',
    fault: 'lists files with their contents',
    mutate: (provider) =>
      getting(provider, (skill) => ({ ...skill, resources: skill.resources.map((entry) => ({ ...entry, content: '' })) })),
  },
  {
    id: 'skill/body-text',
    fault: 'keeps the byte order mark',
    mutate: (provider) => getting(provider, (skill) => ({ ...skill, body: skill.name === 'marked' ? `\uFEFF${skill.body}` : skill.body })),
  },
  {
    id: 'resources/complete',
    fault: 'lists folders',
    mutate: (provider) =>
      getting(provider, (skill) => ({
        ...skill,
        resources: [...skill.resources, { path: 'scripts', kind: 'script', mediaType: 'inode/directory' }],
      })),
  },
  {
    id: 'resources/complete',
    fault: 'does not look into folders of folders',
    mutate: (provider) =>
      getting(provider, (skill) => ({ ...skill, resources: skill.resources.filter(({ path }) => path.split('/').length < 3) })),
  },
  {
    id: 'resources/digests',
    fault: 'writes digests in capitals',
    mutate: (provider) => reading(provider, async (resource) => ({ ...resource, digest: (await sha256(resource.bytes)).toUpperCase() })),
  },
  {
    id: 'read/bytes',
    fault: 'gives text for bytes',
    mutate: (provider) =>
      reading(provider, (resource) => ({ ...resource, bytes: new TextDecoder().decode(resource.bytes) as unknown as Uint8Array })),
  },
  {
    id: 'read/bytes',
    fault: 'reads bytes as text and writes them as UTF-8',
    mutate: (provider) =>
      reading(provider, (resource) => ({ ...resource, bytes: new TextEncoder().encode(new TextDecoder().decode(resource.bytes)) })),
  },
  {
    id: 'read/text-untouched',
    fault: 'mends line ends',
    mutate: (provider) => reading(provider, (resource) => ({ ...resource, bytes: resource.bytes.filter((byte) => byte !== 13) })),
  },
  {
    id: 'read/max-bytes',
    fault: 'takes a limit of 0 for none',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path, { ...options, maxBytes: options?.maxBytes || undefined }),
    }),
  },
  {
    id: 'read/unknown',
    fault: 'throws for a file that it does not know',
    mutate: (provider) => ({
      ...provider,
      async readResource(name, path, options) {
        const resource = await provider.readResource(name, path, options);
        if (resource === null) throw new SkillError('resource-not-found', `There is no ${path}.`);
        return resource;
      },
    }),
  },
  {
    id: 'read/hostile',
    fault: 'takes an absolute path for a relative one',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path.replace(/^\/+/, ''), options),
    }),
  },
  {
    id: 'read/hostile',
    fault: 'resolves `..` inside the skill',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path.replace('references/../', ''), options),
    }),
  },
  {
    id: 'read/hostile',
    fault: 'cuts a path at NUL',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path.split('\0')[0] ?? '', options),
    }),
  },
  {
    id: 'read/not-normal',
    fault: 'resolves `./`',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) => provider.readResource(name, path.replace(/^\.\//, ''), options),
    }),
  },
  {
    id: 'read/skill-md',
    fault: 'lists SKILL.md among the files',
    mutate: (provider) =>
      getting(provider, (skill) => ({
        ...skill,
        resources: [...skill.resources, { path: 'SKILL.md', kind: 'other', mediaType: 'text/markdown' }],
      })),
  },
  {
    id: 'read/skill-md',
    fault: 'reads SKILL.md whole, however little is asked for',
    mutate: (provider) => ({
      ...provider,
      readResource: (name, path, options) =>
        provider.readResource(name, path, path === 'SKILL.md' ? { ...options, maxBytes: undefined } : options),
    }),
  },
  {
    id: 'read/skill-md',
    fault: 'serves SKILL.md where the case differs',
    mutate: (provider) => ({
      ...provider,
      readResource: async (name, path, options) =>
        path === 'skill.md'
          ? { path, bytes: new Uint8Array(1), size: 1, mediaType: 'text/markdown' }
          : provider.readResource(name, path, options),
    }),
  },
  {
    id: 'read/other-skill',
    fault: 'finds a file whichever skill has it',
    mutate: (provider) => ({
      ...provider,
      readResource: async (name, path, options) =>
        (await provider.readResource(name, path, options)) ?? provider.readResource('right', path, options),
    }),
  },
  {
    id: 'abort/before',
    fault: 'wraps the reason of an abort',
    mutate: (provider) => ({
      ...provider,
      async readResource(name, path, options) {
        if (options?.signal?.aborted === true) throw new Error('Aborted', { cause: options.signal.reason });
        return provider.readResource(name, path, options);
      },
    }),
  },
  {
    id: 'abort/before',
    fault: 'answers null where it is aborted',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) => (options?.signal?.aborted === true ? null : provider.getSkill(name, options)),
    }),
  },
  {
    id: 'failing/rejects',
    fault: 'lets the error of its storage through',
    mutate: (provider) => ({
      ...provider,
      getSkill: (name, options) =>
        provider.getSkill(name, options).catch((error: unknown) => {
          throw SkillError.isInstance(error) ? new TypeError('fetch failed') : error;
        }),
    }),
  },
  {
    id: 'failing/rejects',
    fault: 'answers null for a skill where its source is away',
    mutate: (provider) => ({
      ...provider,
      getSkill: (name, options) =>
        provider.getSkill(name, options).catch((error: unknown) => (SkillError.isInstance(error) ? null : Promise.reject(error))),
    }),
  },
  {
    id: 'origin/label',
    fault: 'does not say that the host vouches for it',
    mutate: (provider) => level1(provider, ({ origin: _origin, ...skill }) => skill as never),
  },
  {
    id: 'origin/not-claimed',
    fault: 'lets a skill say where it lies',
    mutate: (provider) =>
      level1(provider, (skill) => ({
        ...skill,
        ...(skill.origin &&
          skill.fields?.['origin'] !== undefined && {
            origin: { ...skill.origin, ...(skill.fields['origin'] as { uri: string }), trusted: true },
          }),
      })),
  },
  {
    id: 'list/shape',
    fault: 'answers a bare list',
    mutate: (provider) => ({ ...provider, listSkills: async (options) => (await provider.listSkills(options)).skills as never }),
  },
  {
    id: 'list/shape',
    fault: 'does not say whether its list is complete',
    mutate: (provider) => answering(provider, ({ complete: _complete, ...answer }) => answer as never),
  },
  {
    id: 'list/diagnostics',
    fault: 'reports what it left out as a warning',
    mutate: (provider) =>
      answering(provider, (answer) => ({
        ...answer,
        diagnostics: answer.diagnostics.map((diagnostic) => ({ ...diagnostic, severity: 'warning' })),
      })),
  },
  {
    id: 'list/complete',
    fault: 'complains of what is right',
    mutate: (provider) =>
      answering(provider, (answer) => ({
        ...answer,
        diagnostics: [...answer.diagnostics, { code: 'odd', severity: 'error', message: 'Something is odd.' }],
      })),
  },
  {
    id: 'list/complete',
    fault: 'takes bad skills for missing ones',
    mutate: (provider) =>
      answering(provider, (answer) => ({ ...answer, complete: !answer.diagnostics.some(({ severity }) => severity === 'error') })),
  },
  {
    id: 'list/unique',
    fault: 'lists the same again for each of its pages',
    mutate: (provider) => listing(provider, (skills) => [...skills, ...skills.slice(0, 1)]),
  },
  {
    id: 'skill/diagnostics',
    fault: 'tells of every skill what is wrong with one',
    mutate: (provider) =>
      getting(provider, (skill) => ({
        ...skill,
        diagnostics: [{ code: 'odd', severity: 'warning', message: 'Something is odd.', skill: 'marked' }],
      })),
  },
  {
    id: 'version/null',
    fault: 'knows no skill without a version',
    mutate: (provider) => ({
      ...provider,
      getSkill: async (name, options) => (options?.version === null ? null : provider.getSkill(name, options)),
    }),
  },
  {
    id: 'contract/abilities',
    fault: 'does not have the SKILL.md that it declares',
    mutate: (provider) => reading(provider, (resource) => (resource.path === 'SKILL.md' ? null : resource)),
  },
  {
    id: 'read/hostile',
    fault: 'decodes slashes after it looked for steps out of the folder',
    mutate: (provider) => ({
      ...provider,
      async readResource(name, path, options) {
        const leaves = path.includes('..%2f') && !path.split('/').includes('..');
        return leaves
          ? { path, bytes: new Uint8Array(), size: 0, mediaType: 'text/plain' }
          : await provider.readResource(name, path, options);
      },
    }),
  },
  {
    id: 'contract/shape',
    fault: 'closes the tools that files name',
    mutate: (provider, files) => ({ ...provider, gatedTools: () => ('naming/SKILL.md' in files ? ['pay_invoice'] : []) }),
  },
  {
    id: 'contract/shape',
    fault: 'hands over tools for files',
    mutate: (provider) => ({ ...provider, toolSet: () => ({ pay_invoice: {} }) }),
  },
  {
    id: 'isolation/list',
    fault: 'hands out its own diagnostics',
    mutate: (provider) => {
      const kept: SkillDiagnostic[] = [{ code: 'odd', severity: 'info', message: 'Something is odd.' }];
      return answering(provider, (answer) => ({ ...answer, diagnostics: kept }));
    },
  },
  {
    id: 'watch/tells',
    fault: 'tells the last watcher only',
    mutate: (provider) => {
      let end: (() => void) | null = null;
      return {
        ...provider,
        watch(onChange) {
          end?.();
          end = provider.watch(onChange);
          return end;
        },
      };
    },
  },
  {
    id: 'watch/fresh',
    fault: 'tells once',
    mutate: (provider) => ({
      ...provider,
      watch(onChange) {
        const end = provider.watch(() => {
          end();
          onChange();
        });
        return end;
      },
    }),
  },
  {
    id: 'dispose/unavailable',
    fault: 'rejects after it was disposed with an error of its own',
    mutate: (provider) => ({
      ...provider,
      listSkills: (options) =>
        provider.listSkills(options).catch((error: unknown) => Promise.reject(SkillError.isInstance(error) ? new Error('closed') : error)),
    }),
  },
];
