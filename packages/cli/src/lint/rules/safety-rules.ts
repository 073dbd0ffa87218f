import { hiddenIn, readRisks, riskKinds, type Risk } from '@repertoire/skill-proposals/internal';
import type { LintFinding, LintRule, LintSkill } from '../lint-rule.ts';

const kept = new WeakMap<LintSkill, readonly Risk[]>();

/**
 * What a person should have read before an agent does, by the reader that every command asks. A
 * text that tells of an attack is a note there, and no finding here.
 */
export const riskRules: readonly LintRule[] = riskKinds
  .filter(({ isOfChanges }) => isOfChanges !== true)
  .map(({ code, severity, says }) => ({
    id: code,
    kind: 'correctness',
    severity,
    summary: `A file ${says}.`,
    check: (skill) =>
      risksOf(skill).flatMap(({ path, message, fix, line, column, ...risk }): LintFinding[] =>
        risk.code !== code || risk.severity === 'note' ? [] : [{ ...(path !== 'SKILL.md' && { file: path }), message, fix, line, column }],
      ),
    ...(code === 'hidden-character' && { fix: { kind: 'text', text: withoutHiddenCharacters } as const }),
  }));

function risksOf(skill: LintSkill): readonly Risk[] {
  const before = kept.get(skill);
  if (before !== undefined) return before;
  const { text, files, parsed } = skill;
  const texts = [{ path: 'SKILL.md', text }, ...files.flatMap(({ path, text: other }) => (other === null ? [] : [{ path, text: other }]))];
  const risks = readRisks(texts, parsed.metadata ?? {});
  kept.set(skill, risks);
  return risks;
}

/** The text without its hidden characters. */
function withoutHiddenCharacters(text: string): string {
  let result = '';
  let from = 0;
  for (const { at } of hiddenIn(text)) {
    result += text.slice(from, at);
    from = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }
  return result + text.slice(from);
}
