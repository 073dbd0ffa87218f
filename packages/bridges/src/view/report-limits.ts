import type { SkillMetadata, SkillProvider, SkillSession } from '@repertoire/skills-core';
import { listWords } from '@repertoire/skills-core/internal';
import { isResourcePath } from '@repertoire/skills-core/provider';
import type { SkillView } from './skill-view.ts';

/** What the diagnostics of a bridge are about. */
export interface BridgedSession {
  /** The framework, as people call it. */
  readonly framework: string;
  readonly provider: SkillProvider;
  readonly session: SkillSession;
  readonly availableTools: readonly string[];
  readonly warn: SkillView['warn'];
}

/**
 * Tells what the host declared and the other framework does not do. A gate that nobody keeps is
 * worse than none.
 */
export function reportLimits({ framework, provider, session, availableTools, warn }: BridgedSession): void {
  const { listed, skills } = session.catalog;
  const named = listed.flatMap(({ tools }) => tools ?? []);
  const gated = [...new Set([...named, ...(provider.gatedTools?.() ?? []), ...availableTools])]
    .filter((tool) => session.isGated(tool))
    .sort();
  if (gated.length > 0) {
    const message = `NOT GATED: ${framework} opens tools no matter which skill is loaded, so nothing keeps a model from calling ${listWords(gated)} at once.`;
    const fix = `Refuse these calls in ${framework} itself, leave the tools out of the agent, or use an adapter of this library, which enforces gates.`;
    warn('bridge-not-gated', message, { fix });
  }
  if (session.restricts) {
    const message = `NOT RESTRICTED: \`skillAllowedTools({ policy: 'restrict' })\` has no effect in ${framework}. Every tool of the agent can be called, whatever a skill allows.`;
    const fix = `Restrict the tools in ${framework} itself, or use an adapter of this library.`;
    warn('bridge-not-restricted', message, { fix });
  }
  for (const skill of skills) {
    if (isFolderName(skill)) continue;
    const message = `The name ${JSON.stringify(skill.name)} cannot be the name of a folder, so ${framework} does not get the skill.`;
    const fix = 'Give the skill a name of lower-case letters, digits and hyphens, also where sources are composed.';
    warn('bridge-skill-left-out', message, { skill: skill.name, fix });
  }
}

/** Bridges serve skills as folders, and a name decides where files are read and written. */
export function isFolderName({ name }: Pick<SkillMetadata, 'name'>): boolean {
  return !name.includes('/') && !name.includes(':') && isResourcePath(name);
}
