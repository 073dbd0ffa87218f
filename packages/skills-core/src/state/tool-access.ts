import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill, type SkillState } from './skill-state.ts';

/** Whether a tool may be called now, and which skills open it where it may not. */
export type SkillToolAccess = { readonly open: true } | { readonly open: false; readonly openedBy: readonly string[] };

/**
 * Whether a tool of the host may be called in a state. A tool that no skill names is always open. One that skills name is open while any of them is loaded, or
 * where one of them, trusted, wants it open from the start (`autoActivate: 'always'`).
 */
export function skillToolAccess(skills: readonly SkillMetadata[], state: SkillState, tool: string): SkillToolAccess {
  const owners = skills.filter((skill) => skill.tools?.includes(tool));
  const open = owners.length === 0 || owners.some((skill) => loadedSkill(state, skill.name) !== undefined || opensAlways(skill));
  return open ? { open } : { open, openedBy: owners.map((skill) => skill.name) };
}

function opensAlways(skill: SkillMetadata): boolean {
  return skill.autoActivate === 'always' && skill.origin?.trusted === true;
}
