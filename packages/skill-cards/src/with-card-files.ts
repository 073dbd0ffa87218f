import type { Skill, SkillProvider } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import {
  resourceEntry,
  sha256Hex,
  wrapProvider,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { cardOfSkill } from './card-metadata.ts';
import { serializeSkillCard } from './serialize-skill-card.ts';

const cardPath = 'skill-card.json';

/**
 * Gives each skill of a source a `skill-card.json` among its files, for publishing: one that is
 * there stays as its author wrote it, every other skill gets the card that `cardOfSkill` writes.
 * The digest of a skill that got one is another than that of its folder. Readers take the cards
 * with `withSkillCards`, or over HTTP with `layout: 'card'`.
 *
 * `createSkillsHandler` and `exportStatic` do this with `cards: true`. For storage and MCP, publish
 * what this returns.
 *
 * @example
 * ```ts
 * import { withCardFiles } from '@repertoire/skill-cards';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export const published = (provider: SkillProvider) => withCardFiles(provider);
 * ```
 */
export function withCardFiles(provider: SkillProvider): SkillProvider {
  return wrapProvider(provider, {
    listSkills: (options) => provider.listSkills(options),

    async getSkill(name: string, options?: GetSkillOptions): Promise<Skill | null> {
      const skill = await provider.getSkill(name, options);
      if (skill === null || hasCard(skill)) return skill;
      const bytes = cardBytes(skill);
      const entry = resourceEntry(cardPath, { size: bytes.length, digest: await sha256Hex(bytes) });
      // Its content is another one now: the core makes it of the digests.
      const { content: _content, ...others } = skill;
      return deepFreeze({ ...others, resources: [...skill.resources, entry] });
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const found = await provider.readResource(name, path, options);
      if (found !== null || path !== cardPath) return found;
      const { maxBytes, digest: wanted, content: _content, ...given } = options;
      const skill = await provider.getSkill(name, given);
      // One that is listed and cannot be read is not replaced by another.
      if (skill === null || hasCard(skill)) return null;
      const bytes = cardBytes(skill);
      const digest = await sha256Hex(bytes);
      if (wanted !== undefined && wanted !== digest) return null;
      const { kind: _kind, ...entry } = resourceEntry(cardPath, { size: bytes.length, digest });
      return { ...entry, size: bytes.length, bytes: bytes.slice(0, maxBytes) };
    },
  });
}

function hasCard({ resources }: Skill): boolean {
  return resources.some(({ path }) => path === cardPath);
}

function cardBytes(skill: Skill): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(serializeSkillCard(cardOfSkill(skill)));
}
