import { isForPeople } from '../files-for-people.ts';
import { linesOf, type MarkdownLine } from '../markdown/lines-of.ts';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { lineOfField } from '../positions.ts';

/** What `repertoire new` writes, to be replaced. */
export const newDescription = 'Says what this skill does. Use it when the user asks for it.';
export const newInstruction = 'Write the steps that an agent has to take, in order. Say what it cannot know, and leave out what it knows.';

/** A whole line, so that text about placeholders is none. */
const leftOver =
  // recheck: each part is bounded, and anchored at the start of a line.
  /^[ \t]{0,8}(?:[-*+]\s|\d{1,3}[.)]\s|#{1,6}\s(?![A-Z]{3,5}\s*$)|>\s?)?(?:\*\*)?(?:(?:TODO|FIXME|TBD|XXX)\b(?:\*\*)?\s?(?:[:：]|$|-\s)|\[(?:TODO\b[^\]]{0,120}|(?:insert|add|describe|write|your|fill\sin|enter)\b[^\]]{0,80}\bhere)\](?!\()(?:\*\*)?\s*$|lorem\sipsum\sdolor\b)/i;
/** Other statuses beside it: then it is one of a list, and not a thing to do. */
const status = /\b(?:DONE|DOING|WIP|IN[ _-]?PROGRESS|BLOCKED|COMPLETED?|BACKLOG|FIXME|HACK|XXX)\b/;
/** Sentences that widely used generators of skills write, to be replaced. */
const generated: readonly RegExp[] = [
  /^#{1,6}\s\[TODO\b/,
  /\[TODO:\s/,
  /^#{1,6}\s(?:Insert|Your)\s(?:instructions|content)\s(?:below|here)\s*$/i,
  /^Instructions for the agent to follow when this skill is activated\.$/,
  /^Describe when this skill should be used\.?$/,
  /^\d\.\s(?:First|Second)\sstep$/,
  /^\d\.\sAdditional steps as needed$/,
  /^This is a placeholder (?:for detailed reference documentation|script that can be executed directly)/,
  /^This placeholder represents where asset files would be stored/,
  /^(?:["']{3})?Example helper script for [\w-]{1,80}$/,
];
/** Lines without one of these are no part of a template. */
const mayBeLeft =
  // recheck: it is anchored at the start of a line, and each part is bounded.
  /^\s{0,8}(?:[-*+]\s|\d{1,3}[.)]\s|#{1,6}\s|>\s)?(?:\*\*)?(?:TODO|FIXME|TBD|XXX|\[(?:TODO|insert|add|describe|write|your|fill|enter)|lorem\s|(?:insert|your)\s(?:instructions|content)\s|instructions for the agent|describe when|(?:first|second)\sstep|additional steps|this (?:is a )?placeholder|["']{0,3}example helper|write the steps)/im;
const inDescription =
  // recheck: at most 4,000 characters are looked at, and 120 of them for each bracket.
  /^["'[\s]*(?:TODO|FIXME|TBD|XXX)\b|lorem\sipsum|\[(?:TODO|insert|describe|your)\b[^\]]{0,120}\]|^(?:describe|explain)\swhat\sthis\sskill\sdoes|^(?:a\s)?brief\sdescription\sof\swhat\sthis\sskill\sdoes|^replace\swith\s(?:a\s)?description\sof\sthe\sskill/i;

/** A template that nobody filled in. */
export const unfilledTemplate: LintRule = {
  id: 'unfilled-template',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A part of a template was left as it was: TODO, [Insert … here], Lorem ipsum.',
  check: ({ parsed: { metadata, body }, text, bodyLine, files }) => {
    const found: LintFinding[] = [];
    const description = metadata?.description ?? '';
    if (description.trim() === newDescription || inDescription.test(description.slice(0, 4000)))
      found.push({
        line: lineOfField(text, 'description'),
        message: 'The description is that of a template.',
        fix: 'Say what the skill does, and when to use it.',
      });
    const texts = [
      { file: undefined, text: body, firstLine: bodyLine },
      ...files.flatMap(({ path: file, text: other }) =>
        other === null || isForPeople(file) || isGenerator(file, other) ? [] : [{ file, text: other, firstLine: 1 }],
      ),
    ];
    for (const { file, text: each, firstLine } of texts) {
      const line = leftLine(each, file);
      if (line === null) continue;
      found.push({
        ...(file !== undefined && { file }),
        line: line.number + firstLine - 1,
        message: `There is a part of a template: ${JSON.stringify(line.text.trim().slice(0, 60))}.`,
        fix: 'Write what belongs there, or remove it.',
      });
    }
    return found;
  },
};

/** A program that writes templates holds their sentences. */
function isGenerator(file: string, text: string): boolean {
  return /\.(?:py|[cm]?[jt]s|sh)$/.test(file) && (text.match(/TODO/g)?.length ?? 0) > 1;
}

/**
 * The first line that a template left.
 *
 * @param file `undefined` for the instructions: elsewhere, only sentences of generators count
 */
function leftLine(text: string, file: string | undefined): MarkdownLine | null {
  const isBody = file === undefined;
  const isPage = isBody || /\.md$/i.test(file);
  if (!text.includes('[TODO:') && !mayBeLeft.test(text)) return null;
  const lines = linesOf(text);
  for (const [index, line] of lines.entries()) {
    if (line.text.length > 1_000 || (line.fence !== null && isPage)) continue;
    const words = line.text.trim();
    if (generated.some((form) => form.test(words)) || words === newInstruction) return line;
    if (!isBody || !leftOver.test(line.text)) continue;
    const around = lines.slice(Math.max(0, index - 3), index + 4).filter((other) => other !== line);
    // Beside other brackets, it is a form for the model to fill in.
    if (!around.some((other) => status.test(other.text) || /^\s{0,8}\[[^\]]{3,80}\]\s*$/.test(other.text))) return line;
  }
  return null;
}
