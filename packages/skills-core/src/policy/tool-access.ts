import type { SkillMetadata } from '../contract/skill-provider.ts';
import { isModelInvocable } from '../catalog/skill-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { SkillError } from '../errors/skill-error.ts';
import { lockedToolText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { loadedSkill, type SkillState } from '../state/skill-state.ts';

/** Whether a tool may be called now, and which skills open it where it may not: those that a model may load. */
export type SkillToolAccess = { readonly open: true } | { readonly open: false; readonly openedBy: readonly string[] };

/**
 * Whether a tool of the host may be called in a state. A tool that no skill names is always open. One that skills name is open while any of them is loaded, or
 * where one of them, trusted, has it open from the start (`autoActivate: 'always'`, its own or the default).
 *
 * An untrusted skill gains nothing by naming a tool: where a trusted skill names it too, only trusted ones open it; where none does, the tool would be open anyway
 * were it not named.
 */
export function skillToolAccess(
  skills: readonly SkillMetadata[],
  state: SkillState,
  tool: string,
  autoActivate: 'currentSkill' | 'always' = 'currentSkill',
): SkillToolAccess {
  const named = skills.filter((skill) => skill.tools?.includes(tool));
  const owners = named.some(isTrusted) ? named.filter(isTrusted) : named;
  const open =
    owners.length === 0 || owners.some((skill) => loadedSkill(state, skill.name) !== undefined || opensAlways(skill, autoActivate));
  return open ? { open } : { open, openedBy: [...new Set(owners.filter(isModelInvocable).map((skill) => skill.name))] };
}

/** The refusal of a locked tool, worded for the model: it tells which skills to load. Its code is `not-loaded`. */
export function lockedToolError(tool: string, openedBy: readonly string[], names: SkillToolNames): SkillError {
  return new SkillError('not-loaded', lockedToolText(tool, openedBy, names), openedBy[0] === undefined ? {} : { skill: openedBy[0] });
}

function opensAlways(skill: SkillMetadata, otherwise: 'currentSkill' | 'always'): boolean {
  return (skill.autoActivate ?? otherwise) === 'always' && isTrusted(skill);
}

/** The tools among `tools` that belong to a skill and are not open yet: what a model is not shown. Names of tools that no skill owns are never among them. */
export function lockedSkillTools(
  skills: readonly SkillMetadata[],
  state: SkillState,
  tools: Iterable<string>,
  autoActivate?: 'currentSkill' | 'always',
): string[] {
  return [...tools].filter((tool) => !skillToolAccess(skills, state, tool, autoActivate).open);
}
