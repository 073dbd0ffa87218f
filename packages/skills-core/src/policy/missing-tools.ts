import type { SkillMetadata } from '../contract/skill-provider.ts';

/** What to do with a skill that names tools which this session does not have: show it anyway, hide it, or show it and say why it will not work. */
export type MissingToolsPolicy = 'show' | 'hide' | 'explain';

/**
 * The tools that a skill names and that are not there, in the order in which it names them.
 *
 * @example
 * ```ts
 * import { missingTools } from '@repertoire/skills-core/internal';
 *
 * const refunds = { name: 'refunds', description: 'Gives money back.', version: null, tools: ['charge', 'send_mail'] };
 * export const missing = missingTools(refunds, ['charge']); // ['send_mail']
 * ```
 */
export function missingTools(skill: SkillMetadata, available: Iterable<string>): string[] {
  const there = new Set(available);
  return (skill.tools ?? []).filter((tool) => !there.has(tool));
}

/** Carries out the policy: the skills to show, with the reason in the description where it is to be explained. */
export function applyMissingTools(
  skills: readonly SkillMetadata[],
  policy: MissingToolsPolicy,
  available: Iterable<string>,
): SkillMetadata[] {
  const there = [...available];
  return skills.flatMap((skill) => {
    const missing = missingTools(skill, there);
    if (missing.length === 0 || policy === 'show') return [skill];
    if (policy === 'hide') return [];
    return [
      {
        ...skill,
        whenToUse: [
          skill.whenToUse,
          `(Not usable here: it needs ${missing.length === 1 ? 'the tool' : 'the tools'} ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} missing.)`,
        ]
          .filter(Boolean)
          .join(' '),
      },
    ];
  });
}
