import { SkillError } from '../../errors/skill-error.ts';

/** Tools that have a name of their own: a list, or an object with each under that name. */
export type ToolList<Tool> = readonly Tool[] | Readonly<Record<string, Tool>>;

/**
 * Returns the tools as a list.
 *
 * @throws {SkillError} `invalid-options` for a tool that stands under a name which is not its own:
 *   what a skill names would then be another tool than the one that is bound
 */
export function toolList<Tool extends { readonly name: string }>(tools: ToolList<Tool> = []): readonly Tool[] {
  if (Array.isArray(tools)) return tools as readonly Tool[];
  for (const [key, { name }] of Object.entries(tools)) if (name !== key) throw otherName(key, name);
  return Object.values(tools);
}

function otherName(key: string, name: string): SkillError {
  return new SkillError(
    'invalid-options',
    `The tool ${JSON.stringify(name)} stands in \`tools\` under the name ${JSON.stringify(key)}. Write it under its own name, or give a list: tools: [tool].`,
  );
}
