import type { SkillProvider } from '../../contract/skill-provider.ts';

/**
 * Returns the tools that skills in code bring with them (`toolSet` of the provider), by name. An
 * adapter takes those that are tools of its framework.
 *
 * @param isTool whether a value is a tool of the framework
 * @param others names of tools that the host hands over itself; they are left out
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { toolsInCode } from '@repertoire/skills-core/adapter';
 *
 * interface Tool { readonly run: () => string }
 *
 * export const toolsOf = (provider: SkillProvider) => toolsInCode(provider, (tool): tool is Tool => 'run' in tool, ['search']);
 * ```
 */
export function toolsInCode<Tool extends object>(
  provider: SkillProvider,
  isTool: (tool: object) => tool is Tool,
  others: readonly string[],
): Readonly<Record<string, Tool>> {
  const found = Object.entries(provider.toolSet?.() ?? {});
  return Object.fromEntries(found.filter((entry): entry is [string, Tool] => isTool(entry[1]) && !others.includes(entry[0])));
}
