import { createSkillset, SkillRegistry } from '@repertoire/skills-core';
import { catalogLines } from '@repertoire/skills-core/internal';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { lintSkill, type SkillFinding } from './lint-skill.ts';

/** What becomes of a SKILL.md, step by step. */
export interface ReadSkill {
  /** The fields as they were read. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** What `repertoire lint` finds in it. */
  readonly findings: readonly SkillFinding[];
  /** What a model gets; `null` where no skill can be made of the file. */
  readonly seen: SeenSkill | null;
}

/** Every text that a model reads of a skill, in the order in which it gets them. */
export interface SeenSkill {
  readonly line: string;
  readonly lineTokens: number;
  readonly system: string;
  readonly systemTokens: number;
  readonly tools: string;
  readonly loaded: string;
  readonly loadedTokens: number;
}

/** The most characters that are read; a real SKILL.md has a tenth of it. */
const maxCharacters = 200_000;

/** Reads a SKILL.md as a source of skills does, and shows it to a model as an adapter does. */
export async function readSkill(text: string): Promise<ReadSkill> {
  const given = text.slice(0, maxCharacters);
  const { frontmatter, metadata, body } = parseSkillMd(given);
  // The folder is unknown, and taken for one of the right name.
  const findings = await lintSkill(given, typeof frontmatter['name'] === 'string' ? frontmatter['name'] : 'skill');
  const fields = Object.entries(frontmatter).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value, null, 2)] as const,
  );
  if (metadata === null) return { fields, findings, seen: null };
  const provider = new SkillRegistry({ skills: [{ ...metadata, version: metadata.version ?? undefined, body }] });
  const skillset = createSkillset({ provider });
  const session = await skillset.open();
  const line = (catalogLines(session.catalog, 'xml').get(metadata.name) ?? []).join('\n');
  const system = session.instructions('You are a helpful assistant.');
  const [loadSkill] = session.tools;
  const loaded = (await loadSkill?.execute({ name: metadata.name }, { state: session.state([]) }))?.text ?? '';
  return {
    fields,
    findings,
    seen: {
      line,
      lineTokens: skillset.countTokens(line),
      system,
      systemTokens: skillset.countTokens(system),
      tools: session.tools.map(({ name, description }) => `${name}\n${description}`).join('\n\n'),
      loaded,
      loadedTokens: skillset.countTokens(loaded),
    },
  };
}
