import { codePointsOf, hiddenCharacters } from '@repertoire/skills-core/internal';
import { withoutHiddenCharacters } from '../without-hidden-characters.ts';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { lineOfField, positionAt } from '../positions.ts';

/** Characters that are read and not seen. */
export const hiddenCharacter: LintRule = {
  id: 'hidden-character',
  kind: 'correctness',
  severity: 'error',
  summary: 'A file holds characters that people do not see and models read.',
  check: ({ text, files }) => [{ path: undefined, text }, ...files].flatMap((file) => hiddenIn(file.path, file.text ?? '')),
  fix: { kind: 'text', text: withoutHiddenCharacters },
};

/** Kinds of secrets by their documented forms. Each is anchored and bounded. */
const secretForms: readonly (readonly [string, RegExp])[] = [
  // recheck: it starts with a fixed text, and what follows is bounded.
  ['a private key', /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s{1,4}[A-Za-z0-9+/=\s]{200}/],
  ['an access key of AWS', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{82})\b/],
  ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{20,22}\b/],
  ['a token of Slack', /\bxox[baprs]-[0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9-]{20,80}/],
  ['an API key of Google', /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/],
  ['a live key of Stripe', /\b[sr]k_live_[A-Za-z0-9]{24,99}\b/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['an API key of Anthropic', /\bsk-ant-(?:api|admin)[0-9]{2}-[A-Za-z0-9_-]{80,120}/],
  ['an API key of OpenAI', /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}/],
  ['a token of Hugging Face', /\bhf_[A-Za-z]{34}\b/],
  ['a key of SendGrid', /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/],
];

/** A key or token that should not be published. */
export const secret: LintRule = {
  id: 'secret',
  kind: 'correctness',
  severity: 'error',
  summary: 'A file holds something of the form of a key or token.',
  check: ({ text, files }) => [{ path: undefined, text }, ...files].flatMap((file) => secretsIn(file.path, file.text ?? '')),
};

/** Words that give orders to the model that chooses a skill, instead of telling what the skill does. */
const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s(?:all\s|any\s)?(?:of\s)?(?:the\s|your\s)?(?:previous|prior|earlier|above|other|preceding)\s(?:instructions?|prompts?|rules?|skills?|messages?)/i,
  /\b(?:do\snot|don't|never)\s(?:tell|inform|mention\sthis\sto|reveal\sthis\sto)\s(?:the\s)?user\b/i,
  /\b(?:override|bypass)s?\s(?:the\s|all\s|your\s)?(?:system\sprompt|safety|guardrails|instructions)\b/i,
  // recheck: at most 10,000 characters are looked at, and 80 of them for each bracket.
  /<\/?(?:system|assistant|user|instructions?|available_skills|skill|important)\b[^>]{0,80}>/i,
  /\[(?:INST|SYSTEM)\]|<\|[a-z_]{2,30}\|>/i,
  /\b(?:instead\sof|rather\sthan)\s(?:any|all)\sother\s(?:skill|tool)s?\b/i,
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

function hiddenIn(file: string | undefined, text: string): LintFinding[] {
  const found = hiddenCharacters(text);
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

function secretsIn(file: string | undefined, text: string): LintFinding[] {
  return secretForms.flatMap(([what, form]) => {
    for (const match of text.matchAll(new RegExp(form, 'g'))) {
      if (isExample(match[0])) continue;
      return [
        {
          file,
          ...positionAt(text, match.index),
          // The secret itself is not repeated: reports are kept and shared.
          message: `There is what looks like ${what}, beginning with ${JSON.stringify(match[0].slice(0, 8))}.`,
          fix: 'Remove it, and revoke it if it was ever real. Read it from the environment.',
        },
      ];
    }
    return [];
  });
}

/** Keys of documentation: the word "example", or the same few characters over and over. */
function isExample(match: string): boolean {
  if (/example|placeholder|your|dummy|fake|sample|test|xxxx|1234567|abcdef|redacted/i.test(match)) return true;
  const random = match.slice(8, 40);
  return new Set(random).size < Math.min(8, random.length / 2);
}
