import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { LintFinding, LintRule, LintSettings, LintSkill } from './lint-rule.ts';

/** A finding with the rule that made it. */
export interface LintResult {
  readonly rule: LintRule;
  readonly skill: LintSkill;
  /** Path inside the skill of the file that it is about; `SKILL.md` is `null`. */
  readonly file: string | null;
  readonly diagnostic: SkillDiagnostic;
}

/** Runs rules over skills. The order is that of the skills, then of the rules. */
export function lintSkills(skills: readonly LintSkill[], rules: readonly LintRule[], settings: LintSettings): LintResult[] {
  const bySkill = new Map<LintSkill, LintResult[]>(skills.map((skill) => [skill, []]));
  for (const rule of rules) {
    for (const skill of skills) {
      for (const finding of rule.check?.(skill, settings) ?? []) bySkill.get(skill)?.push(resultOf(rule, skill, finding));
    }
    for (const [skill, finding] of rule.checkAll?.(skills) ?? []) bySkill.get(skill)?.push(resultOf(rule, skill, finding));
  }
  return [...bySkill.values()].flat();
}

function resultOf(rule: LintRule, skill: LintSkill, { file, ...finding }: LintFinding): LintResult {
  const shown = file === undefined ? skill.path : path.join(path.dirname(skill.path), file);
  return {
    rule,
    skill,
    file: file ?? null,
    diagnostic: { ...finding, code: rule.id, severity: rule.severity, skill: skill.name, path: shown },
  };
}
