import type { SkillProposal } from '@repertoire/skill-proposals';
import { shareText } from '../model/wilson.ts';
import { count } from '../text/count.ts';
import { oneLine } from '../text/one-line.ts';
import type { CheckedProposal } from './check-proposal.ts';

/** A proposal and what is known of it, for people: what it would newly allow comes first. */
export function proposalText({ reason, author, conversation, model, created, base }: SkillProposal, checked: CheckedProposal): string {
  const { id, skill, status, content, findings, allows, evidence, tokens, rebased } = checked;
  const from = [author, conversation, model].filter((word) => word !== null).map((word) => oneLine(word, 100));
  return [
    `${id}  ${status}`,
    `  ${base === null ? 'new skill' : 'change of'} ${skill}, ${created}${from.length > 0 ? `, from ${from.join(', ')}` : ''}`,
    `  reason: ${oneLine(reason, 400)}`,
    ...(rebased ? ['  The skill changed since it was proposed; the change still fits.'] : []),
    `  tokens of SKILL.md: ${tokens.before} -> ${tokens.after}`,
    ...(evidence === null
      ? []
      : [
          `  answers of ${evidence.model}, ${count(evidence.cases, 'case')}: ${shareText(evidence.withSkill)} with it, ${shareText(evidence.withoutSkill)} without it: ${evidence.verdict}`,
        ]),
    ...(allows.length === 0
      ? ['  It would newly allow nothing.']
      : ['  It would newly allow:', ...allows.map(({ kind, what }) => `    ${kind}: ${oneLine(what, 200)}`)]),
    ...(findings.length === 0
      ? []
      : [
          `  ${count(findings.length, 'finding')}:`,
          ...findings.map(
            ({ severity, code, message, line }) =>
              `    ${severity} ${code}${line === undefined ? '' : `, line ${line}`}: ${oneLine(message, 400)}`,
          ),
        ]),
    ...(content === null ? [] : [`  To accept what this makes of the skill: --digest ${content}`]),
  ].join('\n');
}
