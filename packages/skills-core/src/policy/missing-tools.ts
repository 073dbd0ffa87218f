import { fieldOf, isJsonObject } from '../contract/json-object.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';

/** What to do with a skill whose tools are missing: show it, hide it, or say why. */
export type MissingToolsPolicy = 'show' | 'hide' | 'explain';

/** Missing tools of a skill, in its order. A group of which one is enough is one entry. */
export function missingTools(skill: SkillMetadata, available: Iterable<string>): string[] {
  const there = new Set(available);
  const { all, any } = requiredTools(skill);
  const named = [...new Set([...(skill.tools ?? []), ...all])].filter((tool) => !there.has(tool));
  return [...named, ...any.filter((group) => !group.some((tool) => there.has(tool))).map((group) => group.join(' or '))];
}

/** `requires.tools`: a list, or `all` and `any`. Other forms require nothing. */
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

/** The skills to show, with the reason in the description where it is wanted. */
export function applyMissingTools(
  skills: readonly SkillMetadata[],
  policy: MissingToolsPolicy = 'show',
  available: Iterable<string> | undefined,
): readonly SkillMetadata[] {
  if (policy === 'show' || available === undefined) return skills;
  const there = [...available];
  return skills.flatMap((skill) => {
    const missing = missingTools(skill, there);
    if (missing.length === 0) return [skill];
    if (policy === 'hide') return [];
    const [tools, are] = missing.length === 1 ? ['the tool', 'is'] : ['the tools', 'are'];
    const reason = `(Not usable here: it needs ${tools} ${missing.join(', ')}, which ${are} missing.)`;
    return [{ ...skill, whenToUse: [skill.whenToUse, reason].filter(Boolean).join(' ') }];
  });
}
