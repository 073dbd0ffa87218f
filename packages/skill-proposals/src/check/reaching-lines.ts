import { hostsIn } from './newly-allowed.ts';
import type { FileLine } from './lines-of.ts';

interface LineRule {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly says: string;
  readonly finds: (line: FileLine) => boolean;
}

const ignores =
  /\b(?:ignore|disregard|forget|override|overrule)\s(?:all\s|any\s)?(?:of\s)?(?:the\s|your\s|these\s)?(?:previous|prior|earlier|above|other|preceding|system|safety|existing|default)\s(?:instructions?|prompts?|rules?|skills?|messages?|guidelines?|polic)/i;
const conceals =
  // recheck: at most 1,000 characters are looked at, and 60 of them for each word.
  /\b(?:do\snot|don't|never|without|avoid)\s(?:ever\s)?(?:tell|inform|mention|reveal|show|report|disclos|notify|log)[a-z]{0,4}\b.{0,60}\b(?:users?|persons?|people|humans?|anyone|anybody|operators?|owners?|reviewers?|customers?)\b/i;
const secretly = /\b(?:secretly|covertly|hide\sthis\sfrom|keep\sthis\s(?:hidden|secret)\sfrom|behind\sthe\suser)/i;
const skips =
  // recheck: at most 1,000 characters are looked at, and 30 of them for each word.
  /\b(?:without|skip|bypass|omit|avoid|never|not|don't|no\sneed\s(?:to|for))\s(?:ask(?:ing)?\s?)?.{0,30}\b(?:approvals?|confirmations?|permissions?|consent)\b|\bauto-?approve\b|\bapprove\s(?:it|this|everything)\syourself\b/i;
const sends = /\b(?:send|post|upload|forward|transmit|exfiltrate|copy|e-?mail|submit|append|report|attach|include)s?\b/i;
const sensitive =
  /\b(?:conversations?|transcripts?|chat\shistory|system\sprompt|credentials?|secrets?|api[\s-]?keys?|access\stokens?|passwords?|environment\svariables|env\svars|private\skeys?|ssh\skeys?|session\scookies?|customer\s(?:data|records?|list))\b|(?:^|[\s"'`/~])\.(?:env|ssh|aws|netrc)\b/i;
const secretPlaces =
  /(?:~|\$HOME|\/root|\/home\/[\w-]{1,40})\/\.(?:ssh|aws|netrc|config\/gcloud|kube)|\bid_rsa\b|\/etc\/(?:passwd|shadow)\b|\bprintenv\b|\bdict\(os\.environ\)|JSON\.stringify\(process\.env\)/;
const piped =
  // recheck: at most 1,000 characters are looked at, and 300 of them for each program.
  /\b(?:curl|wget|iwr)\b[^|]{0,300}\|\s{0,4}(?:sudo\s)?(?:ba|z|da|k)?(?:sh|python3?|node|iex)\b|\bbase64\s(?:-d|--decode|-D)[^|]{0,100}\|\s{0,4}(?:ba|z)?sh\b|\beval\s["']?\$\((?:curl|wget)|\b(?:ba)?sh\s(?:-c\s)?<\((?:curl|wget)/;
const encoded = /[A-Za-z0-9+/]{240}/;
const network =
  /\b(?:fetch|XMLHttpRequest|WebSocket|urlopen|urllib|aiohttp|httpx|axios|curl|wget|Invoke-WebRequest|Invoke-RestMethod|http\.client|smtplib)\b|\brequests\.\w|\bsocket\.|\bnet\.connect|\bhttps?\.(?:request|get)\b|\/dev\/tcp\//;
const outgoing =
  /\b(?:POST|PUT)\b|\.(?:post|put|sendmail|sendto|sendall)\(|--data|--upload-file|\s-(?:d|F|T)\s|\bbody:|\bdata=|\/dev\/tcp\//;
const isScript = (path: string): boolean => path.startsWith('scripts/') || /\.(?:sh|bash|ps1|py|rb|pl|m?[jt]s|cjs|php)$/.test(path);
// recheck: at most 1,000 characters are looked at, and each part is bounded.
const mail = /\b[\w.+-]{1,64}@(?!example\.|[\w-]{1,40}\.example\b|acme\.example)[\w-]{1,63}(?:\.[a-z]{2,10}){1,3}\b/i;
const numbers = /\b(?:\d{4}[ -]?){3}\d{4}\b|\b\d{3}-\d{2}-\d{4}\b|\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){4,7}\b/;
const comment = /<!--(?!\s{0,5}(?:prettier|markdownlint|lint|eslint|oxlint|cspell|vale|TODO|setup|repertoire|#region|#endregion|toc|end))/i;
const orders = /\b(?:you|agents?|assistants?|models?|ai|always|must|never|run|send|call|execute|follow|do\snot|instructions?)\b/i;

/** What single lines may do that no skill has to. */
export const lineRules: readonly LineRule[] = [
  error('injection', 'tells the model to disregard other instructions', ({ text }) => ignores.test(text)),
  error('concealment', 'tells the model to conceal something from people', ({ text }) => conceals.test(text) || secretly.test(text)),
  error('skips-approval', 'tells the model to go on without approval', ({ text }) => skips.test(text)),
  error(
    'exfiltration',
    'sends what a conversation or a machine holds to another place',
    ({ text, path }) =>
      !isScript(path) &&
      sends.test(text) &&
      sensitive.test(text) &&
      (hostsIn(text).length > 0 || mail.test(text) || /\bwebhook\b/i.test(text)),
  ),
  error('reads-secrets', 'reads where secrets are kept', ({ text }) => secretPlaces.test(text)),
  error('piped-shell', 'runs what it has just downloaded or decoded', ({ text }) => piped.test(text)),
  error('encoded-text', 'holds a long encoded text that nobody can read', ({ text }) => encoded.test(text)),
  error('script-sends', 'sends data over the network', ({ path, text }) => isScript(path) && network.test(text) && outgoing.test(text)),
  warning('script-network', 'uses the network', ({ path, text }) => isScript(path) && network.test(text)),
  error(
    'hidden-comment',
    'gives orders in a comment, which people do not see when the page is shown',
    ({ path, text }) => path.endsWith('.md') && comment.test(text) && orders.test(text.slice(text.indexOf('<!--'))),
  ),
  error('personal-data', 'holds what looks like the number of a card, an account or a person', ({ text }) => numbers.test(text)),
  warning('personal-data', 'holds an e-mail address', ({ text }) => mail.test(text)),
];

function error(code: string, says: string, finds: LineRule['finds']): LineRule {
  return { code, severity: 'error', says, finds };
}

function warning(code: string, says: string, finds: LineRule['finds']): LineRule {
  return { code, severity: 'warning', says, finds };
}
