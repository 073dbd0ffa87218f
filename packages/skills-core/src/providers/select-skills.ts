import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillListing,
  SkillMetadata,
  SkillProvider,
} from '../contract/skill-provider.ts';
import { isFrom } from '../contract/skill-identity.ts';
import { readListing } from './read-listing.ts';
import { wrapProvider, type WrappedProvider } from './support/wrap-provider.ts';

/**
 * Decides by level 1 whether a skill is shown. It must answer at once, with true or false: a
 * promise, a text and a number count as no.
 */
export type SkillPredicate = (skill: SkillMetadata) => boolean;

/**
 * Returns a view of a provider that shows only some of its skills: the others answer `null` by
 * every method. If the newest version of a skill is hidden and an older one is not, the older one
 * is the newest of the view.
 *
 * A view costs nothing to make and keeps nothing, so make one for each request: what a tenant may
 * see is an argument of your own function. The predicate is called at each call. It should depend
 * on nothing but the skill and on what stays the same for the conversation: a catalog that changes
 * within a conversation ends what the model's provider has cached of it.
 *
 * A predicate that throws or returns a promise hides the skill, with the diagnostic
 * `selection-failed` (error). The other diagnostics are those of the whole source: for its
 * operator, not for a tenant. A view has nothing to dispose; dispose the provider itself.
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
  const select = predicateOf(predicate, 'the predicate of selectSkills');

  async function list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const listing = await readListing(provider, { signal });
    const failures: SkillDiagnostic[] = [];
    const skills = listing.skills.filter((skill) => select(levelOne(skill), (failure) => failures.push(failure)));
    return { ...listing, skills, diagnostics: [...listing.diagnostics, ...failures] };
  }

  async function get(name: string, options: GetSkillOptions): Promise<Skill | null> {
    const shown = (skill: Skill | null) => (skill !== null && select(levelOne(skill)) ? skill : null);
    const skill = await provider.getSkill(name, options);
    if (skill === null || shown(skill) !== null) return skill;
    if (options.version !== undefined) return null;
    const newest = (await list(options.signal)).skills.find((candidate) => candidate.name === name && isFrom(candidate, options));
    return newest === undefined ? null : shown(await provider.getSkill(name, { ...options, version: newest.version }));
  }

  const view: WrappedProvider = {
    async listSkills({ signal }: SkillCallOptions = {}) {
      return await list(signal);
    },

    async getSkill(name: string, options: GetSkillOptions = {}) {
      return await get(name, options);
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}) {
      const { version, source, place, content, signal } = options;
      const skill = await get(name, { version, source, place, content, signal });
      return skill === null ? null : await provider.readResource(name, path, { ...options, version: skill.version });
    },

    mayList: (skill) => select(levelOne(skill)) && provider.mayList?.(skill) !== false,

    ...(provider.contentOf !== undefined && {
      async contentOf(name: string, options: GetSkillOptions = {}) {
        const { skills } = await readListing(provider, { signal: options.signal });
        const { version } = options;
        const shown = skills.find(
          (skill) =>
            skill.name === name &&
            (version === undefined || skill.version === version) &&
            isFrom(skill, options) &&
            select(levelOne(skill)),
        );
        // A skill that is hidden, or not listed, is not told of; `getSkill` decides.
        return shown === undefined ? undefined : await provider.contentOf?.(name, { ...options, version: shown.version });
      },
    }),
  };
  return wrapProvider(provider, view, { disposes: false });
}

/**
 * A predicate of the host that fails closed: what throws, or answers a promise, counts as no.
 *
 * @param what the predicate in words, for the diagnostic
 */
export function predicateOf(
  predicate: SkillPredicate,
  what: string,
): (skill: SkillMetadata, report?: (diagnostic: SkillDiagnostic) => void) => boolean {
  return (skill, report) => {
    const failed = (why: string, fix: string): false => {
      report?.({
        code: 'selection-failed',
        severity: 'error',
        skill: skill.name,
        message: `${JSON.stringify(skill.name)} is hidden, because ${what} ${why}`,
        fix,
      });
      return false;
    };
    try {
      const answer: unknown = predicate(skill);
      if (typeof answer === 'object' && answer !== null && 'then' in answer) {
        return failed('returned a promise. It must answer at once.', 'Look up what it needs before, and pass it in.');
      }
      if (answer === true || !answer) return answer === true;
      return failed(
        `answered ${typeof answer === 'object' ? 'an object' : `a ${typeof answer}`}, and not true or false.`,
        'Compare, and answer with what that gives.',
      );
    } catch (error) {
      return failed(`failed: ${String(error)}`, 'Let it answer for every skill: optional fields may be missing.');
    }
  };
}

/**
 * What a predicate is given: level 1 without the content, which many sources do not know when they
 * list.
 */
function levelOne(skill: SkillMetadata | Skill): SkillMetadata {
  if (!('body' in skill || 'content' in skill)) return skill;
  const { body: _body, resources: _resources, diagnostics: _diagnostics, files: _files, content: _content, ...metadata } = skill as Skill;
  return metadata;
}
