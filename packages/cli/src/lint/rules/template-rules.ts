import { linesOf } from '../markdown/lines-of.ts';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { lineOfField } from '../positions.ts';

/** What `repertoire new` writes, to be replaced. */
export const newDescription = 'Says what this skill does. Use it when the user asks for it.';
export const newInstruction = 'Write the steps that an agent has to take, in order. Say what it cannot know, and leave out what it knows.';

/** A whole line, so that text about placeholders is none. */
const leftOver =
  // recheck: each part is bounded, and anchored at the start of a line.
  /^[ \t]{0,8}(?:[-*+]\s|\d{1,3}[.)]\s|#{1,6}\s|>\s?)?(?:\*\*)?(?:(?:TODO|FIXME|TBD|XXX)\b(?:\*\*)?\s?(?:[:：]|$|-\s)|\[(?:TODO\b[^\]]{0,120}|(?:insert|add|describe|write|your|fill\sin|enter)\b[^\]]{0,80}\bhere)\](?!\()(?:\*\*)?\s*$|lorem\sipsum\sdolor\b)/i;
const inDescription =
  // recheck: at most 4,000 characters are looked at, and 120 of them for each bracket.
  /^["'[\s]*(?:TODO|FIXME|TBD|XXX)\b|lorem\sipsum|\[(?:TODO|insert|describe|your)\b[^\]]{0,120}\]|^(?:describe|explain)\swhat\sthis\sskill\sdoes/i;

/** A template that nobody filled in. */
export const unfilledTemplate: LintRule = {
  id: 'unfilled-template',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A part of a template was left as it was: TODO, [Insert … here], Lorem ipsum.',
  check: ({ parsed: { metadata, body }, text, bodyLine }) => {
    const found: LintFinding[] = [];
    const description = metadata?.description ?? '';
    if (description.trim() === newDescription || inDescription.test(description.slice(0, 4000)))
      found.push({
        line: lineOfField(text, 'description'),
        message: 'The description is that of a template.',
        fix: 'Say what the skill does, and when to use it.',
      });
    if (/TODO|FIXME|TBD|XXX|here\]|lorem|Write the steps/i.test(body)) {
      for (const { text: line, number, fence } of linesOf(body)) {
        if (fence !== null || line.length > 1_000 || !(leftOver.test(line) || line === newInstruction)) continue;
        found.push({
          line: number + bodyLine - 1,
          message: `There is a part of a template: ${JSON.stringify(line.trim().slice(0, 60))}.`,
          fix: 'Write what belongs there, or remove it.',
        });
        break;
      }
    }
    return found;
  },
};
