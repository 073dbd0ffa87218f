import { ignoresOf, type IgnoreComment } from './ignores-of.ts';
import type { LintFacts, LintFinding, LintRule, LintSettings, LintSkill } from './lint-rule.ts';
import { lineOfField } from './positions.ts';
import { unresolvedReferences } from './rules/link-rules.ts';

/** A linted skill as plain data: its findings, and what comparing it with others needs. */
export interface LintedSkill {
  readonly facts: LintFacts;
  /** By rule. */
  readonly findings: readonly (readonly [string, LintFinding])[];
  readonly ignores: readonly IgnoreComment[];
  readonly uri: string | null;
  readonly unread: readonly string[];
  /** What its folder has and rules see by name alone. */
  readonly leftOut: readonly string[];
  readonly hasSteps: boolean;
  /** Whether the reference validator refuses it for a field that the standard does not have. */
  readonly hasExtensionField: boolean;
  /** Whether nobody knows of a script if it may be executed. */
  readonly hasUnknownScript: boolean;
}

/** Applies rules to one skill. */
export async function lintOne(skill: LintSkill, rules: readonly LintRule[], settings: LintSettings): Promise<LintedSkill> {
  const findings: [string, LintFinding][] = [];
  for (const rule of rules) {
    const found = rule.check?.(skill, settings) ?? [];
    for (const finding of found instanceof Promise ? await found : found) findings.push([rule.id, plain(finding)]);
  }
  const { metadata } = skill.parsed;
  return {
    facts: {
      folder: skill.folder,
      path: skill.path,
      name: skill.name,
      version: metadata?.version ?? null,
      description: (metadata?.description ?? '').slice(0, 4_000),
      descriptionLine: lineOfField(skill.text, 'description'),
      nameLine: lineOfField(skill.text, 'name'),
      isForModel: metadata !== null && metadata.disableModelInvocation !== true,
      files: skill.files.map(({ path }) => path),
      references: await unresolvedReferences(skill),
    },
    findings,
    ignores: ignoresOf(skill),
    uri: skill.uri ?? null,
    unread: skill.unread,
    leftOut: skill.leftOut,
    hasSteps: metadata?.steps !== undefined,
    hasExtensionField: skill.strict.some(({ severity, code }) => severity === 'error' && code === 'field-unknown'),
    hasUnknownScript: skill.files.some(
      ({ path, isExecutable, text }) => isExecutable === null && path.startsWith('scripts/') && text?.startsWith('#!') === true,
    ),
  };
}

function plain(finding: LintFinding): LintFinding {
  return Object.fromEntries(Object.entries(finding).filter(([, value]) => value !== undefined)) as unknown as LintFinding;
}
