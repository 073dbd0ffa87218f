import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillMetadata,
  SkillProvider,
} from '../contract/skill-provider.ts';
import { filterSkills } from './versions/filter-skills.ts';

/** Says whether a skill is shown, by level 1. */
export type SkillPredicate = (skill: SkillMetadata) => boolean;

/**
 * A view of a provider that shows only some of its skills: the others answer `null` by every method. Where the newest version of a skill is hidden and an older
 * one is not, the older one is the newest of the view.
 *
 * A view is made in no time and holds nothing of its provider, so make one for each request: what a tenant may see is an argument of your own function. Its
 * predicate is asked anew at each call, and should depend on nothing but the skill and on what stays the same for the conversation: a catalog that changes
 * within a conversation ends what the model's provider has cached of it.
 *
 * A predicate that throws hides the skill, and `diagnostics()` says so (`selection-failed`). The other diagnostics are those of the whole source: for its
 * operator, not for a tenant. Disposing the provider is the affair of who made it; a view has nothing to dispose.
 *
 * @example One view for each tenant
 * ```ts
 * import { selectSkills, type SkillProvider } from '@repertoire/skills-core';
 *
 * interface Tenant { readonly tiers: readonly string[] }
 *
 * export function skillsOf(tenant: Tenant, all: SkillProvider): SkillProvider {
 *   return selectSkills(all, (skill) => tenant.tiers.includes(skill.metadata?.['tier'] ?? 'free'));
 * }
 * ```
 */
export function selectSkills(provider: SkillProvider, predicate: SkillPredicate): SkillProvider {
  let lastDiagnostics: readonly SkillDiagnostic[] | null = null;

  async function list(signal: AbortSignal | undefined): Promise<{ skills: SkillMetadata[]; diagnostics: readonly SkillDiagnostic[] }> {
    const diagnostics: SkillDiagnostic[] = [];
    const skills = filterSkills(await provider.listSkills({ signal }), (skill) => shows(predicate, skill, diagnostics));
    lastDiagnostics = diagnostics;
    return { skills, diagnostics };
  }

  async function get(name: string, options: GetSkillOptions): Promise<Skill | null> {
    const shown = (skill: Skill | null) => (skill !== null && shows(predicate, levelOne(skill)) ? skill : null);
    const skill = await provider.getSkill(name, options);
    if (skill === null || shown(skill) !== null) return skill;
    if (options.version !== undefined) return null;
    const version = (await list(options.signal)).skills.find((candidate) => candidate.name === name)?.version;
    return version === undefined ? null : shown(await provider.getSkill(name, { ...options, version }));
  }

  return {
    label: provider.label,

    async listSkills({ signal }: SkillCallOptions = {}) {
      return (await list(signal)).skills;
    },

    async getSkill(name: string, options: GetSkillOptions = {}) {
      return await get(name, options);
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}) {
      const { version, signal } = options;
      const skill = await get(name, { version, signal });
      return skill === null ? null : await provider.readResource(name, path, { ...options, version: skill.version });
    },

    async diagnostics({ signal }: SkillCallOptions = {}) {
      signal?.throwIfAborted();
      const own = lastDiagnostics ?? (await list(signal)).diagnostics;
      const theirs = (await provider.diagnostics?.({ signal })) ?? [];
      return [...theirs, ...own].map((diagnostic) => ({ ...diagnostic }));
    },

    ...(provider.watch !== undefined && { watch: (onChange: () => void) => provider.watch?.(onChange) ?? (() => {}) }),
  };
}

/** Fails closed: what cannot be judged is not shown. */
function shows(predicate: SkillPredicate, skill: SkillMetadata, diagnostics?: SkillDiagnostic[]): boolean {
  try {
    return predicate(skill);
  } catch (error) {
    diagnostics?.push({
      code: 'selection-failed',
      severity: 'error',
      skill: skill.name,
      message: `${JSON.stringify(skill.name)} is hidden, since the predicate of selectSkills failed on it: ${String(error)}`,
      fix: 'Let the predicate answer for every skill: optional fields may be missing.',
    });
    return false;
  }
}

function levelOne({ body: _body, resources: _resources, ...metadata }: Skill): SkillMetadata {
  return metadata;
}
