import path from 'node:path';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { LintCache, type AmongSkills } from './lint-cache.ts';
import type { LintedSkill } from './lint-one.ts';
import type { LintFacts, LintFinding, LintRule } from './lint-rule.ts';

/** What findings are about: a skill, or a plugin. */
export type LintSubject = Pick<LintedSkill, 'findings' | 'ignores' | 'uri'> & {
  readonly facts: Pick<LintFacts, 'folder' | 'path' | 'name'>;
};

/** A finding with the rule that made it. */
export interface LintResult {
  readonly rule: LintRule;
  readonly skill: LintSubject;
  /**
   * Path inside its folder of the file that it is about; `SKILL.md`, or `plugin.json`, is `null`.
   */
  readonly file: string | null;
  readonly severity: 'error' | 'warning';
  readonly diagnostic: SkillDiagnostic;
}

/** Which findings count, and how much. */
export interface LintChoice {
  /** Rules that are applied, with their severity. */
  readonly rules: ReadonlyMap<LintRule, 'error' | 'warning'>;
  /** Whether the host ignores a rule for a file, by its path as people name it. */
  readonly isIgnored: (rule: string, file: string) => boolean;
}

/** What came of a lint. */
export interface LintOutcome {
  readonly results: readonly LintResult[];
  /** How many findings comments and the configuration ignore. */
  readonly ignored: number;
}

/**
 * The findings that count: those of each skill, those among all, and those of plugins. The order is
 * that of the skills, then of the rules.
 */
export function judgeFindings(
  skills: readonly LintedSkill[],
  { rules, isIgnored }: LintChoice,
  cache: LintCache = new LintCache(null),
  plugins: readonly LintSubject[] = [],
): LintOutcome {
  const byRule = new Map<string, LintRule>([...rules.keys()].map((rule) => [rule.id, rule]));
  const order = new Map([...rules.keys()].map((rule, index) => [rule, index]));
  const found = [...skills, ...plugins].map((skill) =>
    skill.findings.flatMap(([id, finding]) => resultsOf(byRule.get(id), skill, finding, rules)),
  );
  const plugged = skills.map(({ facts }) => facts.plugin ?? '').join('\0');
  const among = cache.among(skills.length, plugged, () => compared(skills, [...rules.keys()]));
  for (const rule of rules.keys()) {
    for (const [index, finding] of among[rule.id] ?? []) {
      const skill = skills[index];
      if (skill !== undefined) found[index]?.push(...resultsOf(rule, skill, finding, rules));
    }
  }
  let ignored = 0;
  const results = found.flatMap((own) => {
    own.sort((a, b) => (order.get(a.rule) ?? 0) - (order.get(b.rule) ?? 0));
    return own.filter(({ rule, skill, file, diagnostic }) => {
      const isOut =
        skill.ignores.some((comment) => comment.file === file && comment.rules.includes(rule.id)) ||
        isIgnored(rule.id, diagnostic.path ?? '');
      if (isOut) ignored += 1;
      return !isOut;
    });
  });
  return { results, ignored };
}

function compared(skills: readonly LintedSkill[], rules: readonly LintRule[]): AmongSkills {
  const facts = skills.map((skill) => skill.facts);
  return Object.fromEntries(rules.flatMap(({ id, checkAll }) => (checkAll === undefined ? [] : [[id, checkAll(facts)]])));
}

function resultsOf(
  rule: LintRule | undefined,
  skill: LintSubject,
  { file, ...finding }: LintFinding,
  rules: LintChoice['rules'],
): LintResult[] {
  const severity = rule === undefined ? undefined : rules.get(rule);
  if (rule === undefined || severity === undefined) return [];
  const shown = file === undefined ? skill.facts.path : path.join(path.dirname(skill.facts.path), file);
  return [
    {
      rule,
      skill,
      file: file ?? null,
      severity,
      diagnostic: { ...finding, code: rule.id, severity, skill: skill.facts.name, path: shown },
    },
  ];
}
