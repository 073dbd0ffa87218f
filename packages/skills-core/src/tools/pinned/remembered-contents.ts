import { deepFreeze } from '../../contract/deep-freeze.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { SizedCache } from '../../providers/support/sized-cache.ts';
import { revisionOf } from '../../state/revision.ts';

/**
 * A store of loaded skills, for restarts and replicas: bodies and lists of files as JSON text, by
 * their revision. Only the host may write to it, since what it returns is what a model reads. A
 * value never changes, so it may be cached for ever; what is missing is read from the source.
 */
export interface SkillContentStore {
  get(revision: string): Promise<string | null | undefined> | string | null | undefined;
  set(revision: string, content: string): Promise<void> | void;
}

/** The skills that conversations loaded, as they were: their bodies and lists of files. */
export interface RememberedContents {
  get(revision: string): Promise<Skill | undefined>;
  set(revision: string, skill: Skill): Promise<void>;
}

const maxRemembered = 64;
const maxCharacters = 4 * 1024 * 1024;

/** Remembers in memory and in the host's store. A failing store costs a read. */
export function rememberedContents(store: SkillContentStore | undefined, failed: (thrown: unknown) => void): RememberedContents {
  const recent = new SizedCache<Skill>(maxCharacters);
  const keep = (revision: string, skill: Skill, characters: number): void =>
    recent.set(revision, skill, Math.max(characters, maxCharacters / maxRemembered));
  return {
    async get(revision) {
      const known = recent.get(revision);
      if (known !== undefined || store === undefined) return known;
      try {
        const text = await store.get(revision);
        const skill = typeof text === 'string' ? (JSON.parse(text) as Skill) : undefined;
        if (text === null || text === undefined || skill === undefined) return undefined;
        // Another skill under this key would be given in the place of the loaded one.
        if (revisionOf(skill, skill.content ?? null) !== revision)
          throw new Error(`The content store answered ${revision} with another skill.`);
        keep(revision, deepFreeze(skill), text.length);
        return skill;
      } catch (thrown) {
        failed(thrown);
        return undefined;
      }
    },
    async set(revision, skill) {
      if (recent.get(revision) !== undefined) return;
      if (store === undefined) {
        keep(revision, skill, skill.body.length + 200 * skill.resources.length);
        return;
      }
      const text = JSON.stringify(skill);
      keep(revision, skill, text.length);
      try {
        await store.set(revision, text);
      } catch (thrown) {
        failed(thrown);
      }
    },
  };
}
