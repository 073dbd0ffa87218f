import { createSkillset, inCodeSkillProvider, type SkillDiagnostic } from '@repertoire/skills-core';
import { catalogLines, codePointsOf, hiddenCharacters } from '@repertoire/skills-core/internal';
import { parseSkillMd, type SkillMdDiagnostic } from '@repertoire/skills-core/skill-md';

/** What becomes of a SKILL.md, step by step. */
export interface ReadSkill {
  /** The fields as they were read. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** What an agent's host says when it reads the file, and what the validator of the standard refuses besides. */
  readonly diagnostics: readonly (SkillDiagnostic & { readonly isOnlyStrict: boolean })[];
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
  const [lenient, strict] = [parseSkillMd(given, { profile: 'lenient' }), parseSkillMd(given, { profile: 'strict' })];
  const hidden = hiddenCharacters(given);
  const diagnostics = [
    ...lenient.diagnostics.map((each) => ({ ...each, isOnlyStrict: false })),
    ...strict.diagnostics
      .filter((each) => !lenient.diagnostics.some((other) => isSame(each, other)))
      .map((each) => ({ ...each, isOnlyStrict: true })),
    ...(hidden.length === 0 ? [] : [{ ...hiddenDiagnostic(codePointsOf(hidden), hidden.length), isOnlyStrict: false }]),
  ];
  const fields = Object.entries(lenient.frontmatter).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value, null, 2)] as const,
  );
  const { metadata, body } = lenient;
  if (metadata === null) return { fields, diagnostics, seen: null };
  const provider = inCodeSkillProvider([{ ...metadata, version: metadata.version ?? undefined, body }]);
  const skillset = createSkillset({ provider });
  const session = await skillset.open();
  const line = (catalogLines(session.catalog, 'xml').get(metadata.name) ?? []).join('\n');
  const system = session.instructions('You are a helpful assistant.');
  const [loadSkill] = session.tools;
  const loaded = (await loadSkill?.execute({ name: metadata.name }, { state: session.state([]) }))?.text ?? '';
  return {
    fields,
    diagnostics,
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

function isSame(a: SkillMdDiagnostic, b: SkillMdDiagnostic): boolean {
  return a.code === b.code && a.line === b.line;
}

function hiddenDiagnostic(codePoints: string, count: number): SkillDiagnostic {
  const message = `The text has ${count} ${count === 1 ? 'character' : 'characters'} that people do not see and models read: ${codePoints}.`;
  return { code: 'hidden-characters', severity: 'warning', message, fix: 'Delete them.' };
}
