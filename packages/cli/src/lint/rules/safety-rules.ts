import { codePointsOf } from '@repertoire/skills-core/internal';
import { hiddenIn } from '../hidden-in.ts';
import { withoutHiddenCharacters } from '../without-hidden-characters.ts';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { lineOfField, positionAt } from '../positions.ts';

/** Characters that are read and not seen. */
export const hiddenCharacter: LintRule = {
  id: 'hidden-character',
  kind: 'correctness',
  severity: 'error',
  summary: 'A file holds characters that people do not see and models read.',
  check: ({ text, files }) => [{ path: undefined, text }, ...files].flatMap((file) => findingsIn(file.path, file.text ?? '')),
  fix: { kind: 'text', text: withoutHiddenCharacters },
};

/** Orders to the model that chooses a skill. */
const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s(?:all\s|any\s)?(?:of\s)?(?:the\s|your\s)?(?:previous|prior|earlier|above|other|preceding)\s(?:instructions?|prompts?|rules?|skills?|messages?)/i,
  /\b(?:do\snot|don't|never)\s(?:tell|inform|mention\sthis\sto|reveal\sthis\sto)\s(?:the\s)?user\b/i,
  /\b(?:override|bypass)s?\s(?:the\s|all\s|your\s)?(?:system\sprompt|safety|guardrails|instructions)\b/i,
  // recheck: at most 10,000 characters are looked at, and 80 of them for each bracket.
  /<\/?(?:system|assistant|user|instructions?|available_skills|skill|important)\b[^>]{0,80}>/i,
  /\[(?:INST|SYSTEM)\]|<\|[a-z_]{2,30}\|>/i,
  /\b(?:instead\sof|rather\sthan)\s(?:any|all)\sother\s(?:skill|tool)s?\b/i,
  /\b(?:always|must)\s(?:be\s)?(?:use|load|invoke|call|run)(?:ed|d)?\s(?:this\s)?(?:skill\s)?(?:first\b|before\s(?:any|all|every|each)\b)/i,
  // recheck: at most 10,000 characters are looked at, and 40 of them for each word.
  /\b(?:always|must|should)\b[^.]{0,40}\b(?:for|on|in|with)\s(?:every|all|each|any)\s(?:single\s|user\s)?(?:requests?|messages?|conversations?|responses?|prompts?|turns?|questions?)\b/i,
  /\bno\smatter\swhat\s(?:the\s)?(?:user|task|request|they)\b/i,
];

/** A description that orders instead of telling. */
export const instructionInDescription: LintRule = {
  id: 'instruction-in-description',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The description gives orders to the model. It stands in every prompt, also where the skill is not loaded.',
  check: ({ parsed: { metadata }, text }) => {
    const description = `${metadata?.description ?? ''}\n${metadata?.whenToUse ?? ''}`.slice(0, 10_000);
    const match = orders.map((form) => form.exec(description)?.[0]).find((words) => words !== undefined);
    if (match === undefined) return [];
    return [
      {
        line: lineOfField(text, 'description'),
        message: `The description says ${JSON.stringify(match)}, which is an order to the model and not what the skill does.`,
        fix: 'Say what the skill does and when to use it. Put instructions into the body.',
      },
    ];
  },
};

function findingsIn(file: string | undefined, text: string): LintFinding[] {
  const found = hiddenIn(text);
  const [first] = found;
  if (first === undefined) return [];
  const count = found.length === 1 ? 'is 1 hidden character' : `are ${found.length} hidden characters`;
  return [
    {
      file,
      ...positionAt(text, first.at),
      message: `There ${count} (${codePointsOf(found)}); here is the first.`,
      fix: 'Remove them; --fix does.',
    },
  ];
}
