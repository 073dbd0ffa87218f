/** What looks like a key, a token or a password. */
export interface FoundSecret {
  /** What it is, for people: `a token of GitHub`. */
  readonly what: string;
  readonly at: number;
  readonly text: string;
}

/** Documented forms of secrets that secretlint's list lacks. Each is anchored and bounded. */
const forms: readonly (readonly [string, RegExp])[] = [
  ['an access key of AWS', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{82})\b/g],
  ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{20,22}\b/g],
  ['a token of Slack', /\bxox[baprs]-[0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9-]{20,80}/g],
  ['an API key of Google', /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g],
  ['a live key of Stripe', /\b[sr]k_live_[A-Za-z0-9]{24,99}\b/g],
  ['an API key of Anthropic', /\bsk-ant-(?:api|admin)[0-9]{2}-[A-Za-z0-9_-]{80,120}/g],
  // recheck: it starts with a fixed text, and what follows is bounded.
  ['an API key of OpenAI', /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}/g],
  ['a token of Hugging Face', /\bhf_[A-Za-z]{34}\b/g],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  // recheck: it starts with a fixed text, and what follows is bounded.
  ['a private key', /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----(?:\\n|[\s"]){1,4}([A-Za-z0-9+/=\s\\]{200,8000})-----END/g],
  // recheck: each part is bounded.
  ['a token of a Telegram bot', /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g],
  ['the key of an Azure account', /\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,86}={1,2})/g],
  // recheck: it starts with a fixed text, and each part is bounded.
  ['a JSON web token', /\beyJ[A-Za-z0-9_-]{14,2000}\.eyJ[A-Za-z0-9_-]{14,4000}\.[A-Za-z0-9_-]{20,1000}/g],
  // recheck: it starts with a fixed word, and each part is bounded.
  ['a secret key of AWS', /\baws.{0,20}secret.{0,20}[=:]\s{0,3}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi],
  // recheck: it starts with a fixed word, and each part is bounded.
  ['a password', /\b(?:password|passwd|pwd)["']?\s{0,3}[=:]\s{0,3}["']([^\s"'`<>{}$]{8,64})["']/gi],
];
/**
 * Without one of these, secretlint finds nothing, and it is far slower. Each alternative begins
 * with a rare character and looks at what is before it afterwards, so that the engine skips most
 * text.
 */
const hint =
  // recheck: each alternative starts with a fixed character, and what is around it is bounded.
  /_(?:(?<=(?:npm|gsk|hf|ntn|shp[pcas][ats]|[sr]k_live|[sr]k_test|gh[pousr]|_pat|glc|glsa|lin_api|ops|vc[piark]|figd|cfk|cfut|cfat)_)[A-Za-z0-9]{8}|authToken|key"(?<="private_key"))|-(?:(?<=(?:glpat|xox[a-z]|xapp|tskey|(?<![A-Za-z0-9])sk)-)[\w-]{10}|----BEGIN)|\.(?:(?<=(?:SG|hv[sbr])\.)[\w-]{16}|slack\.com\/services)|A(?:3T|KIA|SIA|GPA|IDA|ROA|IPA|NPA|NVA|Iza)[\w-]{8}|J(?<=eyJ|T3BlbkFJ)[\w-]{8}|dapi[A-Fa-f0-9]{32}|:\/\/[^\s/@:"'`]{1,64}:[^\s/@"'`]{1,100}@/;
/** The same for our own forms that begin with a word. secretlint has none of these. */
const wordHint =
  // recheck: each alternative starts with a fixed text, and what follows is bounded.
  /aws.{0,20}secret|(?:password|passwd|pwd)["']?\s{0,3}[=:]|AccessKey=|AccountKey=|:AA(?<=\d{8}:AA)[\w-]{33}/i;

/** Finds secrets by secretlint's list and our own forms. Examples of documentation are skipped. */
export async function findSecrets(text: string): Promise<readonly FoundSecret[]> {
  const isListed = hint.test(text);
  if (!isListed && !wordHint.test(text)) return [];
  const own = forms.flatMap(([what, form]) =>
    Array.from(text.matchAll(form), ({ index, 0: found, 1: value }) => ({ what, at: index, text: found, value: value ?? found })),
  );
  const listed = isListed ? await listedSecrets(text) : [];
  const all = [...own, ...listed.filter((one) => !own.some((other) => overlap(one, other)))];
  return all
    .filter(({ what, value, at }) => !isExample(what, value, text.slice(Math.max(0, at - 60), at)))
    .map(({ what, at, text: found }) => ({ what, at, text: found }))
    .sort((a, b) => a.at - b.at);
}

interface Candidate extends FoundSecret {
  readonly value: string;
}

async function listedSecrets(text: string): Promise<Candidate[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const { messages } = await lintSource({
    source: { content: text, filePath: 'SKILL.md', ext: '.md', contentType: 'text' },
    options: {
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, rules: [] }] },
    },
  });
  return messages.map(({ range: [start, end], ruleId }) => ({
    what: nameOf(ruleId),
    at: start,
    text: text.slice(start, end),
    value: passwordOf(text.slice(start, end)),
  }));
}

function nameOf(ruleId: string): string {
  const kind = ruleId.split('secretlint-rule-').at(-1) ?? '';
  const names: Readonly<Record<string, string>> = {
    'database-connection-string': 'an address of a database with its password',
    basicauth: 'an address with a password',
    privatekey: 'a private key',
    slack: 'a secret of Slack',
  };
  return names[kind] ?? `a secret of ${kind}`;
}

/** Of `scheme://user:password@host`, the password alone is secret. */
function passwordOf(found: string): string {
  // recheck: it looks at what was found, which is short.
  return /:\/\/[^\s/@:]{0,64}:([^\s@]{1,200})@/.exec(found)?.[1] ?? found;
}

function overlap(a: FoundSecret, b: FoundSecret): boolean {
  return a.at < b.at + b.text.length && b.at < a.at + a.text.length;
}

const words =
  /example|placeholder|your|dummy|fake|sample|test|xxx|123|abc|redacted|change.?me|secret|pass|pwd|p[a@4][s5$]{2}|secure|strong|valid|new|old|wrong|correct|hunter|admin|root|user|postgres|mysql|mongo|redis|guest|demo|correct.?horse|<|>|\$\{|\{\{|\*{3}|\.{3}|…|%s|\[|env|todo|insert|replace|my[-_]|local/i;

/** Keys of documentation: a word that says so, or the same few characters over and over. */
function isExample(what: string, value: string, before: string): boolean {
  // By chance, a long key has any word in it.
  if (what === 'a private key') return new Set(value).size < 20 || /\.{3}|<|\[/.test(value);
  const isChosen = /password|database/.test(what);
  const told = isChosen ? words : /example|placeholder|your|dummy|fake|sample|test|x{3}|1234567|abcdef|redacted|0{6}|T00|B00/i;
  if (
    told.test(value) ||
    // recheck: it looks at 60 characters.
    /(?:example|dummy|fake|bad|wrong|never|don['’]t|do not|❌|✗|vulnerable|insecure|hard-?coded)[^\n]{0,50}$/i.test(before)
  )
    return true;
  if (isChosen) return value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value);
  if (isMadeByRule(value.slice(4))) return true;
  const random = value.slice(8, 40);
  return new Set(random).size < Math.min(8, random.length / 2);
}

/** Whether characters follow each other in the alphabet or are repeated: `abc123def456`. */
function isMadeByRule(value: string): boolean {
  const kinds = [/[a-z]/g, /\d/g].map((kind) => value.toLowerCase().match(kind) ?? []).filter((characters) => characters.length >= 3);
  const isInOrder = kinds.every((characters) => {
    const pairs = characters.slice(1).filter((character, index) => {
      const step = character.charCodeAt(0) - (characters[index]?.charCodeAt(0) ?? 0);
      return step === 0 || step === 1 || step === -1;
    });
    // In a random text, one pair of letters in nine does, and three of ten of digits.
    return pairs.length / (characters.length - 1) > 0.7;
  });
  if (isInOrder && kinds.flat().length >= 12) return true;
  // The same few characters again: `q1w2e3q1w2e3`.
  return /^(.{2,12})\1{1,}/.test(value) && value.length <= 80;
}
