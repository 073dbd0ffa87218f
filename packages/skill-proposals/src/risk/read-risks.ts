import { codePointsOf } from '@repertoire/skills-core/internal';
import { commandAnchors, commandForms, readableCommand } from './commands.ts';
import { orderInDescription } from './descriptions.ts';
import { hiddenIn } from './hidden-in.ts';
import { hostsIn } from './hosts-in.ts';
import { alsoSends, alsoSensitive, phraseAnchors, phrases, sends, sensitive } from './phrases.ts';
import { decodedText, mixedWords, plainText, PlainText } from './plain-text.ts';
import { matchesOf } from './matches-at.ts';
import { riskKinds, type RiskCode, type RiskKind } from './risk-kinds.ts';
import { scanText, type ScannedText } from './scan-text.ts';
import { isOfSecurity, isTaught } from './teaching.ts';

/** Something in a skill that a person should have read before an agent does. */
export interface Risk {
  readonly code: RiskCode;
  /** `note`: the text tells of it, and does not ask for it. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly fix: string;
  readonly path: string;
  /** From 1, in the file as it is. */
  readonly line: number;
  readonly column: number;
  /** What was found, as a model takes it: without what hides it. */
  readonly found: string;
}

/** A text of a skill. */
export interface RiskText {
  /** Path inside the skill. */
  readonly path: string;
  readonly text: string;
}

/** What is read for, beside texts. */
export interface ReadRisksOptions {
  /** The grants that its frontmatter asks for. @default none */
  readonly allowedTools?: readonly string[] | undefined;
  /** What every prompt has of it. @default none */
  readonly description?: string | undefined;
  readonly whenToUse?: string | undefined;
  /** Also tells what only an agent's proposal is judged by. @default false */
  readonly ofChanges?: boolean | undefined;
}

/** Longer texts are data. */
const maxLength = 1_048_576;
const isScriptPath = (path: string): boolean => path.startsWith('scripts/') || /\.(?:sh|bash|zsh|ps1|py|rb|pl|m?[jt]s|cjs|php)$/.test(path);
const isPage = (path: string): boolean => /\.(?:md|mdx|markdown|html?)$/i.test(path);

/**
 * Reads the texts of one skill as a model takes them, and says what in them a person should have
 * seen. It knows words, and not what is meant: a paraphrase in good prose is found by nobody but
 * the person who reads the whole.
 */
export function readRisks(texts: Iterable<RiskText>, options: ReadRisksOptions = {}): readonly Risk[] {
  const all = [...texts].filter(({ text }) => text.length <= maxLength);
  const skillMd = all.find(({ path }) => path === 'SKILL.md')?.text ?? '';
  const isTopic = isOfSecurity(skillMd);
  const risks = all.flatMap(({ path, text }) => new TextReader(path, text, isTopic, options.ofChanges === true).read());
  // What the description says against other instructions is told once.
  const told = new Set(risks.flatMap(({ code, line, path }) => (path === 'SKILL.md' && code !== 'unbounded-grant' ? [line] : [])));
  return [...frontmatterRisks(options, skillMd).filter(({ code, line }) => code === 'unbounded-grant' || !told.has(line)), ...risks];
}

/** What its frontmatter asks for, and what it orders in every prompt. */
function frontmatterRisks({ allowedTools = [], description = '', whenToUse = '' }: ReadRisksOptions, skillMd: string): Risk[] {
  const wide = allowedTools.find((pattern) => unbounded.test(pattern));
  const ordered = orderInDescription(`${description}\n${whenToUse}`.slice(0, 10_000));
  const fieldRisk = (code: RiskCode, field: string, found: string): Risk => {
    const line = skillMd.slice(0, Math.max(0, skillMd.indexOf(`\n${field}:`) + 1)).split('\n').length;
    return riskOf(kindOf(code), { path: 'SKILL.md', line, column: 1 }, found, found, false);
  };
  return [
    ...(wide === undefined ? [] : [fieldRisk('unbounded-grant', 'allowed-tools', wide)]),
    ...(ordered === undefined ? [] : [fieldRisk('instruction-in-description', 'description', ordered)]),
  ];
}

const unbounded =
  /^(?:\*|mcp__\*|(?:Bash|Shell|Execute|Terminal|PowerShell|execute_command|run_command)\(\*{1,2}(?::\*)?\)|Bash\(sudo\b.{0,80}\))$/i;

/** Reads one text. */
class TextReader {
  readonly #path: string;
  readonly #text: string;
  readonly #isTopic: boolean;
  readonly #ofChanges: boolean;
  readonly #found = new Map<string, Risk>();

  constructor(path: string, text: string, isTopic: boolean, ofChanges: boolean) {
    this.#path = path;
    this.#text = text;
    this.#isTopic = isTopic;
    this.#ofChanges = ofChanges;
  }

  read(): readonly Risk[] {
    const text = this.#text;
    const scanned = scanText(text);
    this.#readHidden(scanned);
    this.#readPhrases(new PlainText(text), scanned);
    this.#readCommands(new PlainText(text), scanned);
    for (const [start, end] of scanned.odd) {
      const plain = plainText(new PlainText(text.slice(start, end), start));
      if (plain.text === text.slice(start, end)) continue;
      const again = scanText(plain.text);
      this.#readPhrases(plain, again);
      this.#readCommands(plain, again);
    }
    this.#readEncoded();
    if (isPage(this.#path)) this.#readUnshown(scanned.unshown);
    if (this.#ofChanges) this.#readLines();
    return [...this.#found.values()].sort((a, b) => a.line - b.line);
  }

  #readHidden({ mayHide, hasGreekOrCyrillic }: ScannedText): void {
    const hidden = mayHide ? hiddenIn(this.#text) : [];
    const [first] = hidden;
    if (first !== undefined) {
      const tags = hidden
        .filter(({ codePoint }) => /^U\+E00[2-7]/.test(codePoint))
        .map(({ at }) => String.fromCodePoint((this.#text.codePointAt(at) ?? 0) - 0xe0000));
      const named = `${codePointsOf(hidden)} (${hidden.length} in all)`;
      this.#add('hidden-character', first.at, tags.length === 0 ? named : `${named}, which say ${tags.join('')}`);
    }
    const [mixed] = hasGreekOrCyrillic ? mixedWords(this.#text) : [];
    if (mixed !== undefined) this.#add('other-letters', mixed.at, mixed.word);
  }

  #readPhrases(plain: PlainText, scanned: ScannedText): void {
    const { text } = plain;
    const seen = new Map<RiskCode, readonly [number, number]>();
    for (const { at, code } of phraseAnchors(text, scanned, this.#ofChanges)) {
      // Anchors of another script are looked for anew, from the start.
      const [from, last] = seen.get(code) ?? [-1, -1];
      if (at >= from && at < last) continue;
      const [start, end] = [paragraphStart(text, at), paragraphEnd(text, at)];
      seen.set(code, [start, Math.max(at + 1, end - 160)]);
      if (code === 'exfiltration' && !/\/\/|@|webhook/i.test(text.slice(start, end))) continue;
      const window = lineOf(new PlainText(text.slice(start, end)));
      const originOf = (place: number): number => plain.originOf(start + window.originOf(place));
      if (code === 'exfiltration') this.#readSending(window, originOf);
      const small = window.text.toLowerCase();
      for (const phrase of phrases) {
        if (phrase.code !== code || (phrase.isWeak === true && !this.#ofChanges) || !hasOneOf(small, phrase.needs)) continue;
        for (const form of phrase.forms)
          for (const { index, 0: found } of matchesOf(form, window.text))
            this.#add(code, originOf(index), sentenceAround(window.text, index, found.length), {
              end: originOf(index + found.length),
              found,
            });
      }
    }
  }

  #readSending({ text }: PlainText, originOf: (place: number) => number): void {
    if (isScriptPath(this.#path)) return;
    // recheck: each part is bounded.
    for (const { index, 0: words } of text.matchAll(/[^\n•]{1,400}?(?:[.!?。](?=\s|$)|$|(?=•))/g)) {
      const isMeant = (sure: RegExp, also: RegExp): boolean => sure.test(words) || (this.#ofChanges && also.test(words));
      if (!isMeant(sends, alsoSends) || !isMeant(sensitive, alsoSensitive)) continue;
      if (hostsIn(words).length === 0 && !mail.test(words) && !/\bwebhook\b/i.test(words)) continue;
      // Code that talks to a service is what many skills are for.
      if (!this.#ofChanges && isInCode(this.#text, originOf(index))) continue;
      this.#add('exfiltration', originOf(index), words, { end: originOf(index + words.length) });
    }
  }

  #readCommands(plain: PlainText, scanned: ScannedText): void {
    const { text } = plain;
    const seen = new Set<string>();
    for (const { at, codes } of commandAnchors(text, scanned)) {
      let start = text.lastIndexOf('\n', at) + 1;
      let end = lineEnd(text, at);
      // A line that goes on after a backslash or a pipe is one command.
      for (let more = 0; more < 6 && /(?:\\|\|)\s*$/.test(text.slice(Math.max(start, end - 10), end)); more += 1)
        end = lineEnd(text, end + 1);
      if (end - start > 2_000) [start, end] = [Math.max(start, at - 300), Math.min(end, at + 1_000)];
      let command: string | null = null;
      for (const code of codes) {
        if (seen.has(`${code} ${start}`)) continue;
        seen.add(`${code} ${start}`);
        command ??= readableCommand(
          text
            .slice(start, end)
            .replace(/\\\n\s*/g, ' ')
            .replace(/\|\s*\n\s*/g, '| '),
        );
        const small = command.toLowerCase();
        for (const { needs, form } of commandForms[code] ?? []) {
          const match = hasOneOf(small, needs) ? form.exec(command) : null;
          if (match === null || (code === 'destructive-command' && this.#isDatabaseCode(plain.originOf(at), match[0]))) continue;
          const [from, to] = [match.index, match.index + match[0].length].map((place) => plain.originOf(Math.min(end, start + place)));
          this.#add(code, from ?? 0, sentenceAround(command, match.index, match[0].length), { end: to, found: match[0] });
          break;
        }
      }
    }
  }

  /** SQL in files and blocks of SQL is what the skill is about; in a command, it runs. */
  #isDatabaseCode(at: number, found: string): boolean {
    if (!/^(?:DROP|TRUNCATE|DELETE)\b/.test(found)) return false;
    if (!isPage(this.#path) && !/\.(?:sh|bash|zsh|txt)$/.test(this.#path)) return true;
    const text = this.#text;
    const before = text.slice(Math.max(0, at - 3_000), at);
    const fence = before.lastIndexOf('```');
    const line = text.slice(text.lastIndexOf('\n', at) + 1, lineEnd(text, at));
    const isCommand = /\b(?:psql|mysql|sqlite3|sqlcmd|bq|clickhouse-client|mongosh?|execute|run)\b/i.test(line);
    return !isCommand || (fence !== -1 && /^```(?!(?:ba|z)?sh|shell|console|text)\w/.test(before.slice(fence)));
  }

  #readEncoded(): void {
    for (const { index, run } of longRuns(this.#text)) {
      const says = decodedText(run);
      if (says === null) {
        if (this.#ofChanges && run.length >= 240) this.#add('encoded-text', index, run.slice(0, 60));
        continue;
      }
      const inside = new TextReader(this.#path, says, false, false).read();
      if (inside.length > 0 || this.#ofChanges) this.#add('encoded-text', index, says);
      for (const { code, found, severity } of inside) if (severity !== 'note') this.#add(code, index, found);
    }
  }

  #readUnshown(places: readonly number[]): void {
    for (const { index, said: written } of unshownIn(this.#text, places)) {
      const said = lineOf(new PlainText(plainOf(written))).text.trim();
      if (said.length < 8 || housekeeping.test(said) || isInCode(this.#text, index)) continue;
      // What a skill copies out has comments for whoever fills it in.
      const isTemplate = /(?:^|\/)(?:templates?|assets|examples?)\/|template[^/]{0,20}$/i.test(this.#path);
      const isOrder = called.test(said) || (!isTemplate && ((addressed.test(said) && order.test(said)) || firstWord.test(said)));
      const isAsked = isOrder || (this.#ofChanges && orders.test(said));
      if (isAsked) this.#add('hidden-comment', index, said);
    }
  }

  /** What only an agent's proposal is judged by, line by line. */
  #readLines(): void {
    let at = 0;
    for (const line of this.#text.split('\n')) {
      const text = line.slice(0, 2_000);
      if (isScriptPath(this.#path) && network.test(text)) this.#add(outgoing.test(text) ? 'script-sends' : 'script-network', at, text);
      if (numbers.test(text)) this.#add('personal-data', at, text);
      else if (mail.test(text)) this.#add('personal-data', at, text, { severity: 'warning' });
      if (wideSecretPlaces.test(text)) this.#add('reads-secrets', at, text);
      at += line.length + 1;
    }
  }

  #add(code: RiskCode, at: number, quote: string, { end = at, found = quote, severity }: FoundRisk = {}): void {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const isNote = teachable.has(code) && isTaught(code, { path: this.#path, text: this.#text, at, end, isOfSecurity: this.#isTopic });
    const kind = kindOf(code);
    const risk = riskOf(
      severity === undefined ? kind : { ...kind, severity },
      { path: this.#path, line, column: at - before.lastIndexOf('\n') },
      quote,
      found,
      isNote,
    );
    const known = this.#found.get(`${code} ${line}`);
    if (known === undefined || (known.severity === 'note' && !isNote)) this.#found.set(`${code} ${line}`, risk);
  }
}

interface FoundRisk {
  readonly end?: number | undefined;
  /** What alone is meant, where the quote has more. */
  readonly found?: string | undefined;
  readonly severity?: 'warning' | undefined;
}

const teachable: ReadonlySet<RiskCode> = new Set([
  'injection',
  'concealment',
  'exfiltration',
  'remote-code',
  'reads-secrets',
  'destructive-command',
  'unbounded-grant',
  'skips-approval',
  'encoded-text',
  'hidden-comment',
]);
const kinds = new Map(riskKinds.map((kind) => [kind.code, kind]));

function kindOf(code: RiskCode): RiskKind {
  const kind = kinds.get(code);
  if (kind === undefined) throw new TypeError(code);
  return kind;
}

function riskOf(
  { code, severity, says, fix }: RiskKind,
  place: Pick<Risk, 'path' | 'line' | 'column'>,
  quote: string,
  found: string,
  isNote: boolean,
): Risk {
  const shown = quote.replace(/\s+/g, ' ').trim().slice(0, 160);
  return { code, severity: isNote ? 'note' : severity, message: `${place.path} ${says}: ${JSON.stringify(shown)}.`, fix, ...place, found };
}

const most = 320;

function paragraphStart(text: string, at: number): number {
  const blank = text.lastIndexOf('\n\n', at);
  return Math.max(blank === -1 ? 0 : blank + 2, at - 160);
}

function paragraphEnd(text: string, at: number): number {
  const blank = text.indexOf('\n\n', at);
  return Math.min(blank === -1 ? text.length : blank, at + most);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** A paragraph as one line, without marks of Markdown; items of lists stay apart. */
function lineOf(paragraph: PlainText): PlainText {
  return paragraph
    .replace(/\r/g, () => '')
    .replace(/\n[ \t]{0,20}(?:[-+*]|\d{1,2}[.)])[ \t]/g, () => ' • ')
    .replace(/\n[ \t>#/]{0,20}/g, () => ' ')
    .replace(/\*{1,3}|`{1,3}|~~|(?<!\w)_{1,3}|_{1,3}(?!\w)|<\/?[a-z]{1,8}>/gi, () => '')
    .replace(/[’‘]/g, () => "'")
    .replace(/[\s\u00A0]{2,}|[\t\u00A0]/g, () => ' ');
}

function hasOneOf(text: string, words: readonly string[] | undefined): boolean {
  return words === undefined || words.some((word) => text.includes(word));
}

function plainOf(text: string): string {
  return scanText(text).odd.length > 0 ? plainText(new PlainText(text)).text : text;
}

const leastRun = 32;

/** Long words of letters, digits, `+` and `/`. It looks at one character of many. */
function* longRuns(text: string): Generator<{ readonly index: number; readonly run: string }> {
  for (let at = leastRun - 1; at < text.length;) {
    let start = at;
    while (start > at - leastRun && isEncoding(text.charCodeAt(start))) start -= 1;
    if (start > at - leastRun) {
      at = start + leastRun;
      continue;
    }
    let end = at + 1;
    while (end < text.length && isEncoding(text.charCodeAt(end))) end += 1;
    while (start >= 0 && isEncoding(text.charCodeAt(start))) start -= 1;
    yield { index: start + 1, run: text.slice(start + 1, Math.min(end, start + 40_000)) };
    at = end + leastRun;
  }
}

function isEncoding(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43;
}

function sentenceAround(text: string, at: number, length: number): string {
  const before = text.slice(Math.max(0, at - 40), at);
  const cut = Math.max(before.lastIndexOf('. '), before.lastIndexOf('• '));
  return `${cut === -1 ? before : before.slice(cut + 2)}${text.slice(at, at + Math.min(length, 140) + 60)}`;
}

function isInCode(text: string, at: number): boolean {
  let isOpen = false;
  for (let mark = text.indexOf('```'); mark !== -1 && mark < at; mark = text.indexOf('```', mark + 3)) isOpen = !isOpen;
  return isOpen || text[at - 1] === '`';
}

/**
 * What a page does not show, beside comments: definitions of links that nothing uses, hidden
 * elements.
 */
const unshownForms: readonly RegExp[] = [
  // recheck: each part is bounded.
  /^\[(?:\/\/|comment|_|#)\]:\s?(?:#|<>)\s?[("']([^\n]{1,2000}?)[)"']\s*$/my,
  // recheck: each part is bounded.
  /<(?:span|div|p|details|section|font|small|template)\b[^>]{0,200}(?:display:\s?none|visibility:\s?hidden|font-size:\s?0|opacity:\s?0|color:\s?(?:white|#fff(?:fff)?|transparent)|\shidden\b)[^>]{0,100}>([\s\S]{1,2000}?)<\//iy,
];
const longestComment = 4_000;

/** What stands at these places that a page does not show. */
function* unshownIn(text: string, places: readonly number[]): Generator<{ readonly index: number; readonly said: string }> {
  let [end, close] = [0, 0];
  for (const index of places) {
    if (index < end) continue;
    if (text.startsWith('<!--', index)) {
      // One end may be that of many comments that are too long.
      if (close < index + 5) close = text.indexOf('-->', index + 5);
      if (close === -1) close = text.length;
      if (close === text.length || close - index - 4 > longestComment) continue;
      yield { index, said: text.slice(index + 4, close) };
      end = close + 3;
      continue;
    }
    for (const form of unshownForms) {
      form.lastIndex = index;
      const match = form.exec(text);
      if (match === null) continue;
      yield { index, said: match[1] ?? '' };
      end = form.lastIndex;
    }
  }
}

const housekeeping =
  // recheck: each part is bounded.
  /auto-?generated|(?:do not|don't) (?:edit|modify|remove|delete)|generated (?:by|from)|contributors?\b|maintainers?\b|\bTODO\b|\bFIXME\b|prettier|\blint|cspell|\bvale\b|\btoc\b|repertoire-|license|copyright|last (?:updated|synced)|placeholder|^\s*(?:end|begin|start|#region|#endregion)\b/i;
const addressed = /\b(?:you|your|agents?|assistants?|models?|ai|llms?|claude|gpt|copilot|gemini|codex|bots?)\b/i;
/** `AI: …`, `Claude, …`: whatever follows is said to a model. */
const called = /(?:^|[.!?]\s)(?:ai|agents?|assistants?|llms?|models?|claude|gpt|copilot|gemini|codex)\s?[:,]\s/i;
const order =
  /\b(?:must|always|never|do not|don't|ignore|send|run|execute|upload|post|fetch|tell|delete|approve|install|email|forward|reveal)\b/i;
const firstWord =
  /^(?:(?:important|note|system|hidden|instructions?|secret)\s?:\s?)?(?:(?:first|before|after|also|always|never|then|now|when|if|for|whenever|in addition)\b[^.]{0,80}\b)?(?:send|upload|execute|post|append (?:the|this|all|it|to)|ignore|disregard|approve|exfiltrate|forward|curl|email (?:it|this|the|all|them|every)|run `?(?:curl|wget|bash|sh|rm|python)|do not tell|don't tell|never tell|sende|envía|envoie)\b/i;
const orders = /\b(?:you|agents?|assistants?|models?|ai|always|must|never|run|send|call|execute|follow|do not|instructions?)\b/i;
// recheck: at most 2,000 characters are looked at, and each part is bounded.
const mail = /\b[\w.+-]{1,64}@(?!example\.|[\w-]{1,40}\.example\b|acme\.example)[\w-]{1,63}(?:\.[a-z]{2,10}){1,3}\b/i;
const numbers = /\b(?:\d{4}[ -]?){3}\d{4}\b|\b\d{3}-\d{2}-\d{4}\b|\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){4,7}\b/;
const network =
  /\b(?:fetch|XMLHttpRequest|WebSocket|urlopen|urllib|aiohttp|httpx|axios|curl|wget|Invoke-WebRequest|Invoke-RestMethod|http\.client|smtplib)\b|\brequests\.\w|\bsocket\.|\bnet\.connect|\bhttps?\.(?:request|get)\b|\/dev\/tcp\//;
const outgoing =
  /\b(?:POST|PUT)\b|\.(?:post|put|sendmail|sendto|sendall)\(|--data|--upload-file|\s-(?:d|F|T)\s|\bbody:|\bdata=|\/dev\/tcp\//;
const wideSecretPlaces =
  /(?:~|\$HOME|\/root|\/home\/[\w-]{1,40})\/\.(?:ssh|aws|netrc|config\/gcloud|kube)|\bid_rsa\b|\/etc\/(?:passwd|shadow)\b|\bprintenv\b|\bdict\(os\.environ\)|JSON\.stringify\(process\.env\)/;
