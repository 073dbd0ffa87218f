import { SkillError, type Skill, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import { wrapProvider } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';

/** A skill as it might have been: the text of its `SKILL.md`. */
export interface SkillOverlay {
  readonly skill: string;
  readonly skillMd: string;
}

/**
 * A provider in which one skill has another text, in memory only. Its files, version and origin
 * stay; so do all other skills. The name stays too, since another name would be another skill.
 *
 * @throws {SkillError} `invalid-options` for a text that is no skill
 */
export function overlayProvider(provider: SkillProvider, { skill: name, skillMd }: SkillOverlay): SkillProvider {
  const { metadata, body, diagnostics } = parseSkillMd(skillMd);
  if (metadata === null) {
    const why = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'It has no frontmatter.';
    throw new SkillError('invalid-options', `This text is no skill. ${why}`, { skill: name });
  }
  const changed = (listed: SkillMetadata): SkillMetadata =>
    listed.name !== name
      ? listed
      : { ...metadata, name, version: listed.version, ...(listed.origin !== undefined && { origin: listed.origin }) };
  return wrapProvider(provider, {
    async listSkills(options) {
      const listing = await provider.listSkills(options);
      return deepFreeze({ ...listing, skills: listing.skills.map(changed) });
    },
    async getSkill(asked, options): Promise<Skill | null> {
      const skill = await provider.getSkill(asked, options);
      if (skill === null || asked !== name) return skill;
      // What `changed` leaves out: the content, which is another one now.
      return { ...changed(skill), body, resources: skill.resources, diagnostics: [...skill.diagnostics, ...diagnostics] };
    },
    async readResource(asked, path, options) {
      if (asked !== name || path !== 'SKILL.md') return await provider.readResource(asked, path, options);
      const bytes = new TextEncoder().encode(skillMd);
      return { path, bytes: bytes.slice(0, options?.maxBytes ?? bytes.length), size: bytes.length, mediaType: 'text/markdown' };
    },
  });
}
