import type { SkillDefinition } from '@repertoire/skills-core';

/** The sources of a soak run. */
export const soakSources = ['fs', 'http', 'mcp', 'storage'] as const;
export type SoakSource = (typeof soakSources)[number];

/** The file that each skill has besides its `SKILL.md`. */
export const notePath = 'references/note.md';

/** A skill in one revision, which its description, its body and its file say. */
export interface SoakSkill {
  readonly name: string;
  readonly revision: number;
}

export function steadyName(source: SoakSource, index: number): string {
  return `steady-${source}-${index}`;
}

/** The line that stands in body and file. */
export function stamp({ name, revision }: SoakSkill): string {
  return `This is ${name} in revision ${revision}.`;
}

/** The revision that a text speaks of, `undefined` where it is not of this skill. */
export function revisionIn(text: string, name: string): number | undefined {
  const start = `This is ${name} in revision `;
  const at = text.indexOf(start);
  return at < 0 ? undefined : Number.parseInt(text.slice(at + start.length), 10);
}

export function definitionOf(skill: SoakSkill): SkillDefinition {
  return {
    name: skill.name,
    description: `Does what ${skill.name} does. ${stamp(skill)}`,
    body: bodyOf(skill),
    resources: { [notePath]: `${stamp(skill)}\n` },
  };
}

export function skillMdOf(skill: SoakSkill): string {
  return `---\nname: ${skill.name}\ndescription: ${JSON.stringify(definitionOf(skill).description)}\n---\n\n${bodyOf(skill)}\n`;
}

function bodyOf(skill: SoakSkill): string {
  return `${stamp(skill)} Its note is ${notePath}.\n\n${'Ask first, and then do it. '.repeat(40)}`;
}
