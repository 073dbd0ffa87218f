import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { answering, level1, reading, type MutantsOf } from './mutant.ts';

/** Faults that concern every call: aborting, isolation, a source that is away. */
export const callMutants: MutantsOf<'abort' | 'isolation' | 'concurrency' | 'failing'> = {
  'abort/before': {
    fault: 'ignores the signal',
    mutate: (provider) => ({
      ...provider,
      listSkills: () => provider.listSkills(),
      getSkill: (name, options) => provider.getSkill(name, { version: options?.version }),
      readResource: (name, path, options) => provider.readResource(name, path, { ...options, signal: undefined }),
    }),
    alsoBreaks: ['abort/stalled', 'failing/abort-first'],
  },
  'abort/during': {
    fault: 'answers with what it has so far where it is aborted',
    mutate: (provider) => ({
      ...provider,
      async listSkills(options) {
        options?.signal?.throwIfAborted();
        const answer = await provider.listSkills();
        return options?.signal?.aborted === true ? { ...answer, skills: answer.skills.slice(0, 1) } : answer;
      },
    }),
    alsoBreaks: ['abort/stalled'],
  },
  'abort/others': {
    fault: 'shares the call of the first caller, with its signal',
    mutate: (provider) => {
      let shared: ReturnType<SkillProvider['listSkills']> | null = null;
      return {
        ...provider,
        async listSkills(options) {
          options?.signal?.throwIfAborted();
          shared ??= Promise.resolve()
            .then(() => provider.listSkills(options))
            .finally(() => (shared = null));
          return structuredClone(await shared);
        },
      };
    },
  },
  'abort/stalled': {
    fault: 'looks at the signal before the call only',
    mutate: (provider) => ({
      ...provider,
      async listSkills(options) {
        options?.signal?.throwIfAborted();
        return provider.listSkills();
      },
    }),
  },
  'isolation/list': {
    fault: 'keeps its list and hands it out',
    mutate: (provider) => {
      const kept = new Map<string, SkillListing>();
      return answering(provider, (answer) => {
        const key = answer.skills.map(({ name, license, description }) => `${name} ${license} ${description}`).join();
        return kept.get(key) ?? kept.set(key, answer).get(key) ?? answer;
      });
    },
  },
  'isolation/skill': {
    fault: 'shares the nested maps of a skill',
    mutate: (provider) => {
      const shared: Record<string, string> = { team: 'accounts' };
      return level1(provider, (skill) => (skill.name === 'invoice-check' ? { ...skill, metadata: shared } : skill));
    },
    alsoBreaks: ['isolation/list'],
  },
  'isolation/bytes': {
    fault: 'shares the bytes of a file',
    mutate: (provider) => {
      let kept: Uint8Array | null = null;
      return reading(provider, (resource) =>
        resource.path === 'assets/all-bytes.bin' && resource.bytes.length === 256
          ? { ...resource, bytes: (kept ??= resource.bytes) }
          : resource,
      );
    },
  },
  'concurrency/same-answers': {
    fault: 'keeps the name of a call beside the call',
    mutate: (provider) => {
      let current = '';
      return {
        ...provider,
        async getSkill(name, options) {
          current = name;
          options?.signal?.throwIfAborted();
          await Promise.resolve();
          return provider.getSkill(current, options);
        },
      };
    },
  },
  'failing/rejects': {
    fault: 'swallows the failure of the source: an empty list',
    mutate: (provider) => ({
      ...provider,
      async listSkills(options) {
        try {
          return await provider.listSkills(options);
        } catch (error) {
          if (!SkillError.isInstance(error) || error.message.includes('disposed')) throw error;
          return { skills: [], diagnostics: [], complete: true };
        }
      },
    }),
  },
  'failing/abort-first': {
    fault: 'says that the source is away before it looks at the signal',
    mutate: (provider) => ({
      ...provider,
      async listSkills(options) {
        await provider.listSkills({}).catch((error: unknown) => {
          if (SkillError.isInstance(error)) throw error;
        });
        return provider.listSkills(options);
      },
    }),
    alsoBreaks: ['abort/stalled'],
  },
};
