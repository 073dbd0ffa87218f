import type { SkillProposal } from '@repertoire/skill-proposals';
import type { ProposalFinding } from '@repertoire/skill-proposals/check';
import { shareText } from '../model/wilson.ts';
import { count } from '../text/count.ts';
import { readableTime } from '../text/readable-time.ts';
import { oneLine } from '../text/one-line.ts';
import { quoted } from './change-text.ts';
import type { CheckedProposal } from './check-proposal.ts';

/**
 * What is known of a proposal, for people: what it would newly allow comes first. Its texts and its
 * digest stand elsewhere, together, so what looks like one in here is a quotation.
 */
export function proposalText({ reason, author, conversation, model, created, base }: SkillProposal, checked: CheckedProposal): string {
  const { id, skill, status, findings, allows, evidence, tokens, rebased } = checked;
  const from = [author, conversation, model].filter((word) => word !== null).map((word) => oneLine(word, 100));
  const lines = [
    `${id}  ${status}`,
    `  ${base === null ? 'new skill' : 'change of'} ${skill}, ${readableTime(created)}${from.length > 0 ? `, from ${from.join(', ')}` : ''}`,
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
      : [`  ${count(findings.length, 'finding')}:`, ...findings.map((finding) => `    ${findingLine(finding)}`)]),
  ];
  return quoted(lines.join('\n'));
}

/** A finding in one line. */
export function findingLine({ severity, code, message, line }: ProposalFinding): string {
  return `${severity} ${code}${line === undefined ? '' : `, line ${line}`}: ${oneLine(message, 400)}`;
}
