import { createSkillset } from '@repertoire/skills-core';
import { lintOne } from '../../packages/cli/src/lint/lint-one.ts';
import { lintRules } from '../../packages/cli/src/lint/lint-rules.ts';
import { lintSkillOf } from '../../packages/cli/src/lint/lint-skill-of.ts';

/** What a rule of `repertoire lint` says of a SKILL.md. */
export interface SkillFinding {
  readonly rule: string;
  /** `note`: a rule of style, which is off by default. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly fix: string;
  readonly line: number | undefined;
}

/** The most characters of a text that rules look at; a real SKILL.md has a tenth of it. */
const maxCharacters = 200_000;
const { countTokens } = createSkillset({ skills: [] });

/** The rules of `repertoire lint`, for a SKILL.md of which no other files are known. Rules that compare skills, and those about other files, find nothing. */
export async function lintSkill(text: string, directoryName: string): Promise<SkillFinding[]> {
  const bytes = new TextEncoder().encode(text.slice(0, maxCharacters));
  const skill = lintSkillOf(bytes, directoryName, 'SKILL.md');
  const { findings } = await lintOne(skill, lintRules, { tools: undefined, budgets: {}, forPeople: [], countTokens });
  const rules = new Map(lintRules.map((rule) => [rule.id, rule]));
  return findings.flatMap(([id, { message, fix = '', line }]) => {
    const rule = rules.get(id);
    return rule === undefined ? [] : [{ rule: id, severity: rule.kind === 'style' ? 'note' : rule.severity, message, fix, line }];
  });
}
