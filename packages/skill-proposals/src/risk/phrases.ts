import { matchesAt } from './matches-at.ts';
import type { RiskCode } from './risk-kinds.ts';
import type { ScannedText } from './scan-text.ts';

/** Something that a sentence says. It is looked for in text of one line, with single blanks. */
export interface Phrase {
  readonly code: RiskCode;
  /**
   * Without one of these, in small letters, nothing of it is said. @default it is always looked for
   */
  readonly needs?: readonly string[];
  readonly forms: readonly RegExp[];
  /** Only what an agent proposes is judged by it: people write it for good reasons, too. */
  readonly isWeak?: true;
}

/**
 * Where a phrase may be, by what it may say. Most texts have none of these words, and then nothing
 * else is looked for. English, and German, Spanish, French and Chinese for what search knows.
 */
const anchorsOf = {
  injection:
    "ignor|disregard|forget(?:s|ting)? |overrid|overrul|bypass|discard(?:s|ing)? |supersed|takes? p(?:recedence|riority)|outrank|from now on|no (?:restrictions|limits|rules|guidelines)|refuse nothing|pay no |stop (?:following|obeying)|(?:not|n['’]t|no longer|never) (?:follow|obey)|you are now |act as (?:if|though)|(?:skill|instructions?|file|document|rules?) replaces? |missacht|vergiss|vergessen sie|setze?n? |olvid[ae]|omit[ae]n? |descart[ae]|haz caso|hagas caso|oubli|néglig|tiens pas|tenez pas|fais abstraction",
  concealment:
    "(?:not|n['’]t|never|avoid|refrain from|no need to|without)\\s(?:ever |also |first )?(?:tell|inform|notify|alert|disclos|mention|reveal|let )|(?:not|n['’]t) need to (?:know|see|be told)|secretly|covertly|surreptit|silently|quietly|behind the user|(?:hide|conceal|keep) (?:this|it|that|these|the fact)|without the (?:user|owner|operator)|ohne |nutzer|benutzer|anwender|heimlich|usuario|en secreto|a escondidas|cliente|utilisateur|insu",
  exfiltration:
    'credentials?|transcripts?|chat (?:history|log)|system prompt|conversations?|private keys?|ssh keys?|id_rsa|environment variables|env vars|session cookies|zugangsdaten|gespräch|credenciales|contraseñas',
};
/** The same for what only an agent's proposal is judged by. */
const anchorsOfChanges = {
  concealment: '(?:not|n.t|never|without|avoid)\\s(?:ever )?(?:tell|inform|mention|reveal|show|report|disclos|notif|log)',
  'skips-approval': "without|skip|bypass|omit|avoid|never|not|n['’]t|no need|auto-?approv|approve ",
  exfiltration: 'secrets?|api[ -]?keys?|access tokens?|passwords?|customer (?:data|record|list)',
};
const hanAnchors: Readonly<Record<keyof typeof anchorsOf, string>> = {
  injection: '忽略|无视|無視|忘记|忘掉|不要理会|不用管|抛开|覆盖',
  concealment: '不要|不能|别|切勿|不得|无需|不必|禁止|瞒着',
  exfiltration: '密码|密钥|凭据|聊天记录|对话',
};
const grouped = (anchors: Readonly<Record<string, string>>): string =>
  Object.entries(anchors)
    .map(([code, words]) => `(?<${code.replaceAll('-', '_')}>${words})`)
    .join('|');
const marks = '<\\|(?:im_|system|user|begin_of|start_header)|\\[/?INST\\]|<<SYS>>';
const latin = new RegExp(`\\b(?:${grouped(anchorsOf)})|(?<dot>(?<=[\\s"'\`/~])\\.(?:env|ssh|aws|netrc)\\b)|(?<mark>${marks})`, 'giy');
/** With what anchors begin: words, and marks that stand anywhere. */
export const phraseStarts: { readonly words: string; readonly marks: string } = {
  words: Object.values(anchorsOf).join('|'),
  marks: `\\.env|\\.ssh|\\.aws|\\.netrc|${marks}`,
};
const latinOfChanges = new RegExp(`\\b(?:${grouped(anchorsOfChanges)})`, 'gi');
const han = new RegExp(grouped(hanAnchors), 'g');

/** Places at which something may be said, and what. */
export function* phraseAnchors(
  text: string,
  { phrases: starts, hasHan }: ScannedText,
  ofChanges: boolean,
): Generator<{ readonly at: number; readonly code: RiskCode }> {
  yield* anchorsIn(matchesAt(latin, text, starts));
  if (ofChanges) yield* anchorsIn(text.matchAll(latinOfChanges));
  if (hasHan) yield* anchorsIn(text.matchAll(han));
}

function* anchorsIn(matches: Iterable<RegExpExecArray>): Generator<{ readonly at: number; readonly code: RiskCode }> {
  for (const { index: at, groups = {} } of matches) {
    for (const name in groups)
      if (groups[name] !== undefined)
        yield { at, code: name === 'dot' ? 'exfiltration' : name === 'mark' ? 'injection' : (name.replaceAll('_', '-') as RiskCode) };
  }
}

const qualified =
  '(?:previous|prior|earlier|above|preceding|foregoing|existing|default|original|initial|system|safety|security|developer|platform|host|other|built-in|current)';
const said =
  '(?:instructions?|prompts?|rules?|messages?|guidelines?|polic(?:y|ies)|directives?|constraints?|guardrails?|restrictions?|guidance|safeguards?|skills?|commands?|orders|training|(?<!\\bother )context)';
const dropped =
  "(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overrul(?:e|ing)|bypass(?:ing)?|discard(?:ing)?|supersed(?:e|ing)|outranks?|pay no (?:attention|heed) to|stop (?:following|obeying)|(?:do not|don't|no longer|never) (?:follow|obey)|takes? p(?:recedence|riority) over)";
const person =
  '(?:users?|persons?|people|humans?|anyone|anybody|operators?|owners?|reviewers?|customers?|developers?|maintainers?|admins?)';
const telling =
  "(?:do not|don't|never|must not|should not|shouldn't|refrain from|no need to|without) (?:ever |also |first )?(?:tell|inform|notify|alert|disclos|mention|reveal)(?:ing|e|s)?";
const from = (words: string): RegExp => new RegExp(words, 'gi');

/** What sentences of a skill must not say. */
export const phrases: readonly Phrase[] = [
  {
    code: 'injection',
    forms: [
      from(
        `\\b${dropped} (?:(?:all |any |every |each |of |the |your |these |those |my |its |what(?:ever)? |and )*${qualified}(?:,? (?:and |or )?${qualified})* ${said}\\b|(?:all|any|every|your|everything|anything)(?: of)?(?: the| your)? ${said}\\b(?! (?:files?|pages?|in \\.))|(?:all |any |the |your )?${said} (?:above|before|that came before|given (?:earlier|before|above)|you (?:were|have been|had) (?:given|told)|from the system)\\b|(?:everything|anything|all|whatever|what)(?: that)? (?:you|was|were|has|came|is)(?: (?:were|been|have been|are|was))? ?(?:told|said|given|instructed|above|before|written)\\b)`,
      ),
      // Words of which the blanks were lost.
      /(?:ignore|disregard|forget|override)(?:all)?(?:of)?(?:the|your)?(?:previous|prior|earlier|above|system)(?:instructions?|prompts?|rules?|messages?)/gi,
    ],
  },
  {
    code: 'injection',
    needs: ['you are now', 'from now on', 'have no', 'refuse nothing', 'act as'],
    forms: [
      /\byou are now (?:in )?(?:an? )?(?:DAN\b|developer mode|unrestricted|jailbroken|free (?:of|from)|no longer (?:bound|restricted))/gi,
      // recheck: each part is bounded.
      /\bfrom now on,? you are\b|\byou (?:now )?(?:are [\w-]{1,30} and )?have no (?:restrictions|limits|rules|guidelines)\b|\brefuse nothing\b/gi,
      /\bact as (?:if|though) (?:you have|there (?:are|were)) no (?:restrictions?|rules|limits|guidelines)/gi,
    ],
  },
  {
    code: 'injection',
    needs: ['overrid', 'outrank', 'supersede', 'replace', 'take p', 'takes p'],
    forms: [
      /\b(?:this|these) (?:skill|instructions?|file|document|rules?)(?:'s instructions)? (?:overrides?|outranks?|supersedes?|replaces?|takes? p(?:recedence|riority) over) (?:all |any |the |your |every )*(?:other|system|previous|user|developer)\b/gi,
    ],
  },
  {
    code: 'injection',
    needs: ['ignorier', 'missacht', 'vergiss', 'vergessen sie', 'setz'],
    forms: [
      // recheck: it begins with fixed words, and what is between is bounded.
      /\b(?:ignorier\w{0,4}|missacht\w{0,4}|vergiss|vergessen sie|setz\w{0,3} dich über|setzen sie sich über)\s[^.]{0,40}?(?:vorherig|bisherig|obig|vorangegangen|früher|system|all|vorhergehend|sonstig|ander)\w{0,4}\s[^.]{0,20}?(?:anweisung|vorgabe|regel|instruktion|prompt|befehl|richtlinie)\w{0,3}/gi,
    ],
  },
  {
    code: 'injection',
    needs: ['instrucciones', 'indicaciones', 'reglas', 'órdenes', 'mensajes', 'directrices', 'normas'],
    forms: [
      // recheck: each part is bounded.
      /\b(?:ignor[ae]\w{0,3}|olvid[ae]\w{0,3}|descart[ae]\w{0,3}|haz caso omiso|no hagas caso|omit[ae]\w{0,3})\s[^.]{0,30}?(?:instrucciones|indicaciones|reglas|órdenes|mensajes|directrices|normas)\s[^.]{0,15}?(?:anteriores|previas|del sistema|precedentes|existentes)/gi,
    ],
  },
  {
    code: 'injection',
    needs: ['précédent', 'antérieur', 'ci-dessus', 'du système', 'initial', 'existant'],
    forms: [
      // recheck: each part is bounded.
      /\b(?:ignor\w{1,4}|oubli\w{1,4}|néglig\w{1,4}|ne tiens pas compte|ne tenez pas compte|fais abstraction)\s[^.]{0,30}?(?:instructions|consignes|règles|directives)\s[^.]{0,15}?(?:précédentes|antérieures|ci-dessus|du système|initiales|existantes)/gi,
    ],
  },
  {
    code: 'injection',
    needs: ['忽略', '无视', '無視', '忘记', '忘掉', '不要理会', '不用管', '抛开', '覆盖'],
    forms: [
      /(?:忽略|无视|無視|忘记|忘掉|不要理会|不用管|抛开|覆盖)[^。]{0,8}(?:之前|以前|先前|上面|上述|以上|前面|所有|全部|系统|原有|此前|其他)[^。]{0,6}(?:指令|指示|说明|规则|提示|要求|命令|设定)/gu,
    ],
  },
  {
    code: 'injection',
    needs: ['<|', 'inst]', '<<sys>>'],
    forms: [
      // Marks by which models part a conversation.
      /<\|(?:im_(?:start|end)|system|user|begin_of_text|start_header_id)\|>|\[\/?INST\]|<<SYS>>/gi,
    ],
  },
  {
    code: 'concealment',
    needs: ['tell', 'inform', 'notif', 'alert', 'disclos', 'mention', 'reveal'],
    forms: [
      from(
        `\\b${telling} (?:this |it |that |any of this |these (?:steps|changes) )?(?:to )?(?:the |any |your |a |an )?${person}\\b(?! to\\b)(?! (?:how|which|when) to\\b)(?!:? ["“'])(?! (?:interface|input|story|stories))`,
      ),
      from(`\\b(?:do not|don't|never) (?:tell|mention|reveal) (?:this|it|that|any of this) to (?:them|anyone|anybody)\\b`),
    ],
  },
  {
    code: 'concealment',
    needs: ['know', 'see', 'notice', 'be told', 'find out'],
    forms: [
      from(
        `\\b(?:the |your )?${person} (?:does not|do not|doesn't|don't|must not|should not|need not) (?:need to )?(?:know|see|notice|be told|find out)(?: (?:about|of) (?:this|it)\\b|(?=\\s?[.,;!)]|$))`,
      ),
    ],
  },
  {
    code: 'concealment',
    needs: [' let '],
    forms: [from(`\\b(?:do not|don't|never) let (?:the |any |your )?${person} (?:know|see|notice|find out|learn)\\b`)],
  },
  {
    code: 'concealment',
    needs: ['secretly', 'covertly', 'surreptitiously', 'behind the user', 'without the '],
    forms: [
      from(
        `\\b(?<=^|[.;:,•] |\\b(?:and|then|must|should|please|to) )(?:secretly|covertly|surreptitiously) [a-z]+|\\bbehind the user(?:'s|s') back\\b|\\bwithout the (?:user|owner|operator)(?:'s)? (?:knowing|noticing|knowledge|awareness)\\b`,
      ),
    ],
  },
  {
    code: 'concealment',
    needs: ['hide', 'keep', 'conceal'],
    forms: [
      from(
        `\\b(?:hide|keep|conceal) (?:this|it|that|these|the fact)[a-z ]{0,40}? (?:from|secret from|hidden from) (?:the |any |your )?${person}\\b|\\bkeep (?:this|it|that) (?:between us|secret|quiet(?! /)|to yourself|confidential from)\\b`,
      ),
    ],
  },
  {
    code: 'concealment',
    needs: ['silently', 'quietly'],
    forms: [from(`\\b(?:silently|quietly) (?:send|upload|post|forward|copy|record|transmit|exfiltrate)\\b`)],
  },
  {
    code: 'concealment',
    needs: ['nutzer', 'anwender', 'person', 'kunde', 'niemand', 'heimlich'],
    forms: [
      // recheck: each part is bounded.
      /\b(?:ohne|nicht)\s(?:[^.]{0,20}\s)?(?:nutzer|benutzer|anwender|person|kunden?)\w{0,3}\s[^.]{0,20}?(?:zu informieren|zu sagen|mitzuteilen|davon zu erzählen|erfahren|wissen)/gi,
      // recheck: each part is bounded.
      /\b(?:sag|erzähl|verrat|erwähn|teil|informier|zeig)\w{0,4}\s[^.]{0,30}?(?:nutzer|benutzer|anwender|niemand|kunden?)\w{0,3}\s(?:[^.]{0,20}\s)?(?:nicht|nichts|nie|niemals)\b|\bheimlich\s\w{3,}/gi,
    ],
  },
  {
    code: 'concealment',
    needs: ['usuario', 'persona', 'cliente', 'nadie', 'en secreto', 'a escondidas'],
    forms: [
      // recheck: each part is bounded.
      /\b(?:no|nunca|sin)\s(?:se\s)?(?:le\s|lo\s)?(?:dig|cuent|inform|mencion|revel|avis|muestr|dec)\w{1,6}\s[^.]{0,40}?(?:usuario|persona|cliente|nadie)|\b(?:en secreto|a escondidas)\b/gi,
    ],
  },
  {
    code: 'concealment',
    needs: ['utilisateur', 'personne', 'client', 'insu'],
    forms: [
      // recheck: each part is bounded.
      /\bn[e']\s?(?:le\s)?(?:dis|dites|mentionn|révèl|inform|montr|prév)\w{0,6}\s(?:pas|jamais|rien)\s[^.]{0,30}?(?:utilisateur|personne|client)|\bsans\s(?:en\s)?(?:informer|prévenir|le dire)\s[^.]{0,20}?(?:utilisateur|client)|\bà l['’]insu\b/gi,
    ],
  },
  {
    code: 'concealment',
    needs: ['不', '别', '切勿', '无需', '禁止', '瞒着'],
    forms: [
      /(?:不要|不能|别|切勿|不得|无需|不必|禁止)[^。，]{0,4}(?:(?:告诉|告知|通知|提及|透露|提醒)[^。，]{0,8}(?:用户|使用者|任何人|人类|客户)(?!如何|怎)|让(?:用户|使用者|任何人|客户)(?:知道|看到|发现|察觉))|瞒着[^。，]{0,4}(?:用户|客户|人)/gu,
    ],
  },
  {
    code: 'concealment',
    isWeak: true,
    forms: [
      from(
        `\\b(?:do not|don't|never|without|avoid) (?:ever )?(?:tell|inform|mention|reveal|show|report|disclos|notify|log)[a-z]{0,4}\\b.{0,60}\\b${person}\\b`,
      ),
    ],
  },
  {
    code: 'skips-approval',
    isWeak: true,
    forms: [
      // recheck: each part is bounded.
      /\b(?:without|skip(?:ping)?|bypass|omit|avoid|never|not|don't|no need (?:to|for)) (?:ask(?:ing)? )?(?:(?!if |unless |until |without )[^.]){0,30}\b(?:approvals?|confirmations?|permissions?|consent)\b|\bauto-?approve\b|\bapprove (?:it|this|everything) yourself\b/gi,
    ],
  },
];

export const sends: RegExp =
  // recheck: each part is bounded.
  /(?<![$=\w])(?:send|post|upload|forward|transmit|exfiltrate|e-?mail(?!\s[\w.+-]{1,64}@)|schick|sende|envía|manda|envoie)(?:s|e|t)?\b|(?:发送|上传|转发)(?=.{0,30}(?:密码|密钥|凭据|聊天记录|对话|https?:))/iu;
export const alsoSends: RegExp = /\b(?:copy|submit|append|report|attach|include)s?\b/iu;
/** What nobody sends anywhere for the work of a skill. */
export const sensitive: RegExp =
  /\b(?:conversations?|transcripts?|chat (?:history|logs?)|system prompt|credentials?|environment variables|env vars|private keys?|ssh keys?|session cookies?|id_rsa|zugangsdaten|credenciales|contraseñas|gespräch\w{0,3})\b|(?:^|[\s"'`/~])\.(?:env|ssh|aws|netrc)\b|密码|密钥|凭据|聊天记录|对话/iu;
/** What an agent proposes to send has less freedom. */
export const alsoSensitive: RegExp = /\b(?:secrets?|api[ -]?keys?|access tokens?|passwords?|customer (?:data|records?|list))\b/iu;
