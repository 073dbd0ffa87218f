import type { RiskCode } from './risk-kinds.ts';

/** Where a text has something, and what the skill is about. */
export interface RiskPlace {
  readonly path: string;
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Whether the skill itself is about security. */
  readonly isOfSecurity: boolean;
}

const security =
  // recheck: each part is bounded.
  /\b(?:security|injections?|jailbreaks?|red.?team\w*|pentest\w*|penetration|threats?|vulnerab\w+|malware|attacks?|guardrails?|exploit\w*|owasp|adversar\w+|secrets? (?:scan|detect)\w*|moderation|forensic\w*|hardening|supply.chain|trust)\b/i;
const teaches =
  // recheck: each part is bounded.
  /\b(?:examples?|e\.g\.|attack(?:s|er|ers|ing)?|inject(?:s|ed|ion|ions)?|jailbreaks?|malicious|adversar\w+|hostile|untrusted|payloads?|exploits?|attempts?|phish\w*|detect\w*|scan\w*|flag(?:s|ged)?|patterns?|look(?:s|ing)? for|watch for|reject\w*|refus\w+|red flags?|suspicious|threats?|anti-?patterns?|vulnerab\w+|poison\w*|hijack\w*|tricks?|manipulat\w+|such as|signs? of|indicators?|signatures?|block(?:s|ed|lists?)?|den(?:y|ied|ies)|filter(?:s|ed)?|test (?:case|prompt|input)s?|evals?|dangerous|risky|harmful|forbidden|prohibited|insecure|unsafe|mistakes?|violations?|rationali[sz]ations?|bad|wrong|beispiel\w*|angriff\w*|ejemplos?|ataques?|exemples?|attaques?)\b|❌|🚫|✗|⚠|例如|攻击|恶意/i;
/** Said of commands that nobody should run. */
const warns =
  // recheck: each part is bounded.
  /\b(?:attack(?:s|er|ers)?|malicious|adversar\w+|hostile|payloads?|exploits?|detect(?:s|ed|ion)?|flag(?:s|ged)|red flags?|suspicious|threats?|anti-?patterns?|vulnerab\w+|dangerous|risky|harmful|forbidden|prohibited|insecure|unsafe|den(?:y|ied|ies)|block(?:s|ed|list)|bad|wrong|rationali[sz]ations?|violations?|catastrophic)\b|❌|🚫|✗|⚠|🚨|错误|危险|反例|触发|禁止|拦截/i;
/** Words right before that turn it around: `never run …`, `content that says to …`. */
const negated =
  // recheck: it looks at 140 characters.
  /(?:\b(?:never|do not|don['’]t|avoid|must not|should not|shouldn['’]t|refus\w+|not to|rather than|instead of|against|cannot|can['’]t|won['’]t|will not|not|no|nie|niemals|nicht|nunca|jamais)\b(?:[\s"'“`*_(:]{1,4}[\w'’/-]{1,20}){0,5}[\s"'“`*_(:]{0,5}|[不勿别]要?[^。]{0,8})$/iu;
/** What somebody else's text says: `a page that tells you to …`. */
const reported =
  // recheck: it looks at 140 characters.
  /\b(?:contents?|texts?|pages?|files?|comments?|anything|messages?|inputs?|documents?|prompts?|outputs?|data|emails?|issues?|descriptions?|attackers?|skills? (?:that|which))\b[^.]{0,50}\b(?:tells?|telling|says?|saying|asks?|asking|instructs?|instructing|tr(?:y|ies|ying)|attempts?|claims?|wants?)\b[^.]{0,30}$|\b(?:attempts?|tr(?:ies|ying)|asked|told) to\s[^.]{0,10}$/iu;
const careful =
  // recheck: each part is bounded.
  /\b(?:confirm\w*|asks? (?:the |a )?(?:user|person|human|first|before|for)|(?<!auto-)approv\w+|permission|cautio\w+|careful\w*|warn\w*|dangerous|destructive|irreversible|only (?:if|when|after|for)|unless|back(?:ed)? ?up|last resort|explicit\w*|dry.?run|double.?check|verify|staging|test (?:database|environment|cluster)|local(?:host)?|sandbox|disposable|ephemeral|clean ?up|tear ?down|rollback)\b|❌|⚠|🚨|⛔/i;
const checked =
  // recheck: each part is bounded.
  /\b(?:verif\w+|checksum|sha-?256|signature|pinned|inspect|review the (?:script|installer)|read the script|untrusted|dangerous|insecure|risky|supply.chain)\b|❌|⚠|🚫/i;

/** Whether a skill is about security, by its name and description. */
export function isOfSecurity(skillMd: string): boolean {
  return security.test(skillMd.slice(0, 1_500).split(/\n---/, 1)[0] ?? '');
}

/**
 * Whether a text tells of something instead of asking for it: it forbids it, or quotes it beside
 * words that say what it is.
 */
export function isTaught(code: RiskCode, { path, text, at, end, isOfSecurity: isTopic }: RiskPlace): boolean {
  if (isPrinted(text, at, end) || (isTest.test(path) && isQuoted(text, at, end))) return true;
  const before = text.slice(Math.max(0, at - 400), at);
  const sentence =
    before
      .slice(-140)
      .split(/[.!?]\s|\n\s*\n/)
      .at(-1) ?? '';
  const isNegation =
    code === 'concealment' && /^(?:do|don|never|must|should|without|refrain|n[oe']|sin|ohne|不|别|切)/i.test(text.slice(at, at + 10));
  const heading = headingBefore(text, at);
  // A list of what goes wrong says what was left out.
  if (isNegation && /^without/i.test(text.slice(at, at + 10)) && /\b(?:mistakes?|pitfalls?|anti-?patterns?)\b/i.test(heading)) return true;
  if ((!isNegation && negated.test(sentence)) || reported.test(sentence)) return true;
  const paragraph = `${
    before
      .slice(-250)
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  } ${text.slice(at, end + 200).split(/\n\s*\n/, 1)[0] ?? ''}`;
  if (isCommand.has(code)) {
    // Code is how commands are written, and no quotation.
    if ((code === 'destructive-command' || code === 'unbounded-grant') && (careful.test(paragraph) || careful.test(heading))) return true;
    return (
      (code === 'remote-code' && checked.test(paragraph)) ||
      warns.test(heading) ||
      /\b(?:never|don['’]t|do not|avoid|safety)\b/i.test(heading) ||
      warns.test(paragraph) ||
      (isTopic && warns.test(before.slice(-350)))
    );
  }
  const body =
    before
      .slice(-350)
      .split(/\n---\s/)
      .at(-1) ?? '';
  const isTold = teaches.test(heading) || teaches.test(body);
  const isShown = isQuoted(text, at, end);
  // Marks of conversations in code are what a template of a model looks like.
  if (isShown && /[<[]/.test(text[at] ?? '')) return true;
  return (isShown && isTold) || (isTopic && (isShown || warns.test(heading)));
}

const isCommand: ReadonlySet<RiskCode> = new Set([
  'destructive-command',
  'remote-code',
  'reads-secrets',
  'unbounded-grant',
  'encoded-text',
]);

/** Programs that try what others refuse hold what is to be refused. */
const isTest = /(?:^|\/)(?:test[-_.][^/]{0,100}|[^/]{1,100}[._-](?:test|spec)\.\w{1,5})$/;

/** Whether a program only shows it to a person: it stands between the quotes of an `echo`. */
function isPrinted(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 200), at);
  const close = text.indexOf('\n', end);
  const after = text.slice(end, close === -1 ? end + 200 : Math.min(close, end + 200));
  // recheck: it looks at 200 characters.
  return (
    /^\s{0,40}(?:echo|printf|print|log\w{0,12}|warn|die|console\.\w{3,5})\b[^|;&"'`$]{0,40}["'][^|;&"'`$]*$/.test(before) &&
    !/[|;&`]/.test(after)
  );
}

function headingBefore(text: string, at: number): string {
  const start = text.lastIndexOf('\n#', at);
  return start === -1 ? '' : (text.slice(start, start + 120).split('\n', 2)[1] ?? '');
}

/** Whether it stands between quotes, in code, in a row of a table or in a quotation. */
function isQuoted(text: string, at: number, end: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const close = text.indexOf('\n', end);
  const [left, right] = [
    text.slice(Math.max(start, at - 200), at),
    text.slice(end - 1, close === -1 ? end + 200 : Math.min(close, end + 200)),
  ];
  if (/^\s{0,8}[|>]/.test(text.slice(start, at)) || isInFence(text, at)) return true;
  return quotes.some((pair) => {
    const [open = '', shut = ''] = pair;
    return left.includes(open) && right.includes(shut) && (open !== shut || left.split(open).length % 2 === 0);
  });
}

const quotes = ['""', '“”', '«»', '「」', '``', "''", '„“', '//'];

function isInFence(text: string, at: number): boolean {
  let isOpen = false;
  for (let mark = text.indexOf('```'); mark !== -1 && mark < at; mark = text.indexOf('```', mark + 3)) isOpen = !isOpen;
  return isOpen;
}
