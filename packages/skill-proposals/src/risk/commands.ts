import { matchesAt } from './matches-at.ts';
import type { RiskCode } from './risk-kinds.ts';
import type { ScannedText } from './scan-text.ts';

/** A command, as it stands in a line of code, of a script or of prose. */
export interface CommandForm {
  /** Without one of these, in small letters, a line is none. */
  readonly needs: readonly string[];
  readonly form: RegExp;
}

const anchors: Readonly<Record<string, string>> = {
  fetch:
    'curl|wget|iwr|irm|invoke-(?:web|rest)|base64 |xxd -r|openssl |gunzip|fromBase64|b64decode|atob\\(|urlopen|requests\\.get|downloadstring|eval |source ',
  destroy:
    'rm["\'\\\\]{0,2} -|rm\\$|r\\\\m |rmtree|rmSync|rimraf|rm_rf|remove-item|del \\/s|rd \\/s|rmdir \\/s|kubectl |terraform |tofu |pulumi |git (?:-\\S{1,20} (?:\\S{1,40} )?)?(?:push|clean|filter-branch|update-ref|reflog)|gh repo delete|drop (?:table|database|schema)|truncate |delete from|dropDatabase|flushall|flushdb|dd |mkfs|shred |wipefs|aws (?:s3|ec2|rds)|gcloud |gsutil |az (?:group|vm|storage)|docker (?:system|volume)|find [/~$]|chmod -R|crontab -r|npm unpublish|history -c|format [a-z]:',
  secret:
    'id_rsa|id_ed25519|security (?:find|dump)|printenv|os\\.environ|process\\.env\\)|env ?[|`)]|Login Data|cookies\\.sqlite|logins\\.json',
};
/** What begins with a mark. */
const markedAnchors: Readonly<Record<string, string>> = {
  place: '\\.(?:ssh|aws|netrc|git-credentials|kube|gnupg|docker/config|npmrc|pypirc|config/(?:gcloud|gh))\\b|/etc/shadow|Chrome/|env:\\s',
  bomb: ':\\(\\)',
  grant: '--dangerously-|--yolo|--allow-all-tools|bypassPermissions|"allow"',
};
const groupsOf = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([name, words]) => `(?<${name}>${words})`)
    .join('|');
const grouped = new RegExp(`\\b(?:${groupsOf(anchors)})|${groupsOf(markedAnchors)}`, 'giy');
/** With what anchors begin: words, and marks that stand anywhere. */
export const commandStarts: { readonly words: string; readonly marks: string } = {
  words: Object.values(anchors).join('|'),
  marks: Object.values(markedAnchors).join('|'),
};
const codesOf: Readonly<Record<string, readonly RiskCode[]>> = {
  fetch: ['remote-code', 'reads-secrets'],
  destroy: ['destructive-command'],
  secret: ['reads-secrets'],
  place: ['reads-secrets'],
  bomb: ['destructive-command'],
  grant: ['unbounded-grant'],
};

/** Places at which a command may be, and of which kinds. */
export function* commandAnchors(
  text: string,
  { commands: starts }: ScannedText,
): Generator<{ readonly at: number; readonly codes: readonly RiskCode[] }> {
  for (const { index: at, groups = {} } of matchesAt(grouped, text, starts))
    for (const name in groups) if (groups[name] !== undefined) yield { at, codes: codesOf[name] ?? [] };
}

const shells =
  '(?:(?:sudo|env|command)\\s)?(?:/(?:usr/)?bin/)?(?:(?:ba|z|da|k|fi|a)?sh|python[\\d.]*|node|ruby|perl|php|pwsh|powershell|iex)';
const all = '(?:~|\\$\\{?HOME\\}?|/|\\.\\.|%USERPROFILE%|\\$env:USERPROFILE|C:\\\\)';
const from = (words: string): RegExp => new RegExp(words, 'i');

/** What lines of a skill should not make a machine do. */
export const commandForms: Readonly<Partial<Record<RiskCode, readonly CommandForm[]>>> = {
  'remote-code': [
    {
      needs: ['|'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: from(
        `\\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\\b[^|\\n]{0,400}\\|\\s{0,4}(?:tee\\s[^|]{0,80}\\|\\s{0,4})?${shells}\\b(?!\\s{1,3}-{1,2}(?:c|m|e|n|p|ne|pe|E|eval|print)\\b)`,
      ),
    },
    {
      needs: ['|'],
      form: from(
        `\\b(?:base64\\s{1,3}(?:-d|-D|--decode|-di)|xxd -r|openssl (?:enc|base64) -d|gunzip|uudecode)\\b[^|\\n]{0,150}\\|\\s{0,4}${shells}\\b`,
      ),
    },
    {
      needs: ['$(', '<(', '`'],
      form: from(
        `(?:\\beval|\\bsource|(?:^|[\\s;&])\\.|\\b(?:ba|z)?sh(?: -c)?|\\bpython3?(?: -c)?|\\bnode(?: -e)?)\\s{1,3}["']?(?:\\$\\(|<\\(|\`)\\s{0,3}(?:curl|wget|base64|echo [A-Za-z0-9+/=]{16,}\\s?\\|\\s?base64)`,
      ),
    },
    {
      needs: ['requests.get', 'urlopen', 'b64decode', 'frombase64string', 'atob(', 'downloadstring', 'iwr', 'irm', 'invoke-'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\b(?:exec|eval|compile|Function|iex|Invoke-Expression)(?!["'])\s?\(?\s{0,3}[^\n]{0,60}?(?:requests\.get|urlopen|b64decode|fromBase64String|atob\(|downloadstring|\biwr\b|\birm\b|Invoke-WebRequest|Invoke-RestMethod)/i,
    },
    // Downloaded and started in one line.
    {
      needs: ['&&', ';'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\b(?:curl|wget)\b[^\n|]{0,300}?(?:-o|-O|>|--output)\s{0,3}["']?([\w./${}~-]{2,100}?)["']?\s{0,4}(?:&&|;)[^\n]{0,120}?(?:(?:ba|z)?sh|chmod \+x|python3?|node|source)\s{1,3}["']?(?:\.\/)?\1\b/i,
    },
  ],
  'destructive-command': [
    {
      needs: ['rm'],
      form: from(
        `\\brm\\s{1,3}(?:-[a-z-]{1,20}\\s{1,3})*(?:-[a-z]{0,6}[rR][a-z]{0,6}|--recursive)\\s{1,3}(?:-[a-z-]{1,20}\\s{1,3})*(?:--\\s)?["']?(?:${all}|${all}\\*|${all}/\\*?|\\*|\\./?\\*|\\$\\{?HOME\\}?/[\\w.]{0,20}|/(?:usr|etc|var|home|bin|lib|boot|opt|root|Users)(?:/\\*)?)["']?(?=[\\s;&|\`)"']|$)`,
      ),
    },
    {
      needs: ['rmtree', 'rmsync', 'rimraf', 'rm_rf'],
      form: /\b(?:shutil\.rmtree|fs\.rmSync|rimraf|FileUtils\.rm_rf)\(?\s{0,2}(?:f?["'](?:\/|~|\/home)["']|Path\.home\(\)|os\.path\.expanduser\(["']~\/?["']\)|os\.environ\[["']HOME["']\]|(?:os\.)?homedir\(\)|process\.env\.HOME)\s{0,2}[,)]/,
    },
    {
      needs: ['remove-item', '/s', 'format'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\bRemove-Item\b[^\n]{0,80}-Recurse\b[^\n]{0,80}(?:~|\$HOME|\$env:USERPROFILE|C:\\)(?=[\s\\'"`*]|$)|\b(?:del|rd|rmdir)\s\/s[^\n]{0,20}\s[A-Z]:\\|\bformat\s[a-z]:(?:\s\/|$)/i,
    },
    {
      needs: ['kubectl'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\bkubectl\s[^\n`]{0,80}?\bdelete\s[^\n`]{0,120}?(?:--all\b|\bnamespaces?\s\S|\bns\s\S)|\bkubectl\s(?:-\S+\s)*drain\s[^\n`]{0,60}--force/i,
    },
    // A lease holds the push back where somebody else pushed.
    {
      needs: ['push'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\bgit\s(?:-\S{1,20}\s)*push\b(?![^\n`]{0,200}--force-(?:with-lease|if-includes))[^\n`;&|]{0,120}?\s(?:--force\b|-f\b|--mirror\b|--delete\s(?:origin\s)?(?:main|master)\b|\+(?:main|master|HEAD)\b)/,
    },
    {
      needs: ['clean', 'filter-branch', 'update-ref', 'reflog', 'repo'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\bgit\s(?:clean\s(?:-\w{0,3}\s?){0,2}-?\w{0,3}f\w{0,3}d?\w{0,2}x|filter-branch\b|update-ref -d\b|reflog expire\b[^\n]{0,40}--expire=now)|\bgh\srepo\sdelete\b/i,
    },
    {
      needs: ['drop', 'truncate', 'delete'],
      form: /\b(?:DROP\s(?:TABLE|DATABASE|SCHEMA)\b|TRUNCATE\s(?:TABLE\s)?\w|DELETE\sFROM\s[\w."]{1,60}\s{0,2}(?:;|["'`]|$))/,
    },
    {
      needs: ['dropdatabase', 'flush'],
      form: /\bdropDatabase\(\)|\bFLUSH(?:ALL|DB)\b|\bflushall\b/,
    },
    {
      needs: ['/dev/', 'shred', ':()'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\bdd\s[^\n`]{0,80}\bof=\/dev\/(?!null|stdout|stderr)\w|\bmkfs(?:\.\w{1,8})?\s{1,3}(?:-\S{1,10}\s)*\/dev\/|\b(?:wipefs|shred)\s[^\n`]{0,60}\/dev\/(?!null|stdout|stderr)|\bshred\s[^\n`]{0,40}~|:\(\)\s?\{\s?:\s?\|\s?:/,
    },
    {
      needs: ['destroy', 'aws', 'gcloud', 'gsutil', 'az'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\b(?:terraform|tofu|pulumi)\s[^\n`]{0,60}\bdestroy\b[^\n`]{0,60}(?:-auto-approve|--yes|-y\b)|\baws\ss3\s(?:rb|rm)\s[^\n`]{0,120}(?:--force|--recursive)|\baws\s(?:ec2 terminate-instances|rds delete-db-\w+)[^\n`]{0,120}|\bgcloud\sprojects\sdelete\b|\bgsutil\s(?:-m\s)?rm\s-r|\baz\s(?:group|vm|storage account)\sdelete\b[^\n`]{0,80}(?:--yes|-y\b)/i,
    },
    {
      needs: ['docker', 'find', 'chmod', 'crontab', 'unpublish', 'history'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /\bdocker\s(?:system|volume)\sprune\b[^\n`]{0,40}(?:-\w{0,2}f|--force|--volumes)|\bfind\s(?:\/|~|\$HOME)\s[^\n`]{0,100}-delete\b|\bchmod\s-R\s0?777\s(?:\/|~)(?=\s|$)|\bcrontab\s-r\b|\bnpm\sunpublish\b[^\n`]{0,60}--force|\bhistory\s-c\b/,
    },
  ],
  'reads-secrets': [
    {
      needs: ['.ssh', '.aws', '.netrc', '.git-credentials', '.gnupg', '.docker', '.npmrc', '.pypirc', '.kube', '.config'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /(?:\b(?:cat|less|head|tail|more|cp|scp|rsync|tar|zip|base64|xxd|grep|type(?!=)|Get-Content|read_?text|readFile(?:Sync)?|open|curl|wget|read|collect|copy|upload|send|lies|lee|leer|muestra|lis)\b|读取|发送)[^\n]{0,80}?(?:~|\$\{?HOME\}?|\/root|\/home\/[\w$-]{1,40}|expanduser|homedir|Path\.home\(\)|\$env:USERPROFILE|%USERPROFILE%)[^\n]{0,12}?[/\\"',( ]{1,4}\.(?:ssh(?:["']|[/\\](?:id_\w+|\*|$)|\b(?![/\\]))|aws(?:[/\\]credentials|\b(?![/\\]))|netrc|git-credentials|gnupg|docker\/config|npmrc|pypirc|kube\/config|config\/gh)/i,
    },
    {
      needs: ['id_rsa', 'id_ed25519', '/etc/shadow', 'security'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /(?:^|[\s"'`/@])(?:id_rsa|id_ed25519)(?![\w.]*\.pub)\b(?=[^\n]{0,80}(?:(?<!\|)\|(?!\|)|curl|base64|send|upload|nc\b|http))|\b(?:curl|base64|send|upload|read|cat)\b[^\n]{0,60}\bid_(?:rsa|ed25519)\b(?!\.pub)|\/etc\/shadow\b|\bsecurity\s(?:find-(?:generic|internet)-password|dump-keychain)\b/i,
    },
    {
      needs: ['env'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /(?:(?<![.\w-])(?:printenv|env)\b|\bdict\(os\.environ\)|\bos\.environ\b(?![.[])|JSON\.stringify\(process\.env\)|\bGet-ChildItem env:)[^\n]{0,40}(?:\||>>?|,)[^\n]{0,80}?(?:\bcurl\b|\bnc\b|\bwget\b|https?:\/\/|requests\.|fetch\()|(?:https?:\/\/|\bcurl\b|requests\.\w+\(|fetch\()[^\n]{0,160}(?:\$\((?:printenv|env)\b|dict\(os\.environ\)|JSON\.stringify\(process\.env\)|`env`)/i,
    },
    {
      needs: ['login data', 'cookies', 'logins.json'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /(?:Login Data|Cookies|cookies\.sqlite|logins\.json)\b[^\n]{0,60}(?:sqlite|Chrome|Firefox|copy|cp)|(?:Chrome|Firefox)\/[^\n]{0,60}(?:Login Data|Cookies\b|cookies\.sqlite)/,
    },
  ],
  'unbounded-grant': [
    {
      needs: ['--dangerously', '--yolo', '--allow-all-tools', 'bypasspermissions', '"allow"'],
      // recheck: at most 2,000 characters are looked at, and each part is bounded.
      form: /(?<=\S[\s`"'(]{1,4})--dangerously-(?:skip-permissions|bypass-\S{1,30})|\b(?:codex|claude|gemini|cursor-agent|copilot|aider|opencode|qwen)\b[^\n]{0,80}\s--(?:yolo|allow-all-tools)\b|(["'])bypassPermissions\1|(?:[:=]|mode)\s?bypassPermissions\b|"allow"\s?:\s?\[[^\]\n]{0,200}"Bash(?:\(\*\))?"/,
    },
  ],
};

/** Parts of a command that only make it harder to read: `r\m`, `cu''rl`, `"rm"`, `${IFS}`. */
export function readableCommand(line: string): string {
  return line
    .replace(/\$\{?IFS\}?(?:\$\d)?/g, ' ')
    .replace(/(?<=[a-z])(?:''|""|\\)(?=[a-z])/gi, '')
    .replace(/(?<![\w=:,([{])(["'])([a-z]{2,10})\1(?=\s)/gi, '$2');
}
