import { fieldOf, isJsonObject } from '../contract/json-object.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';

/**
 * What to do with a skill that names tools which this session does not have: show it anyway, hide
 * it, or show it and say why it will not work.
 */
export type MissingToolsPolicy = 'show' | 'hide' | 'explain';

/**
 * The tools that a skill names, or requires under `requires`, and that are not there, in the order
 * in which it names them. Of a group of which one is enough, all are one entry: `a or b`.
 */
export function missingTools(skill: SkillMetadata, available: Iterable<string>): string[] {
  const there = new Set(available);
  const { all, any } = requiredTools(skill);
  const named = [...new Set([...(skill.tools ?? []), ...all])].filter((tool) => !there.has(tool));
  return [...named, ...any.filter((group) => !group.some((tool) => there.has(tool))).map((group) => group.join(' or '))];
}

/**
 * `requires.tools` of the frontmatter: a list of tools that must all be there, or `all` and `any`.
 * What has another form requires nothing.
 */
function requiredTools({ fields }: SkillMetadata): { readonly all: readonly string[]; readonly any: readonly (readonly string[])[] } {
  const requires: unknown = fields?.['requires'];
  const tools = isJsonObject(requires) ? fieldOf(requires, 'tools') : undefined;
  if (isTextList(tools)) return { all: tools, any: [] };
  const [all, any] = isJsonObject(tools) ? [fieldOf(tools, 'all'), fieldOf(tools, 'any')] : [];
  const groups = isTextList(any) ? [any] : Array.isArray(any) ? any.filter(isTextList) : [];
  return { all: isTextList(all) ? all : [], any: groups.filter((group) => group.length > 0) };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/**
 * Carries out the policy: the skills to show, with the reason in the description where it is to be
 * explained.
 */
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
