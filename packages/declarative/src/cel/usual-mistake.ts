/** A mistake of people who come from another language, and what to write here. */
interface UsualMistake {
  readonly written: RegExp;
  readonly fix: string;
}

const quoted = 'Text needs quotes of its own inside the expression: \'"Handle parcels."\'.';
const inTemplate = 'Put values into a text with template("… ${name} …", {"name": string(value)}).';

/** Tried in this order where an expression does not parse, with its texts left out. */
const mistakes: readonly UsualMistake[] = [
  { written: /`/, fix: 'Use " or \' for text. To put values into it, use template("… ${name} …", {"name": string(value)}).' },
  { written: /\bf(?=§)/, fix: inTemplate },
  { written: /\$\{|\{\{/, fix: inTemplate },
  { written: /[=!]==/, fix: 'Write == or !=.' },
  { written: /\?\?/, fix: 'Write has(map.key) ? map.key : "other". A channel of the state always has a value.' },
  { written: /\?\./, fix: 'Write has(map.key) ? map.key : "other". A channel of the state always has a value.' },
  { written: /\+\+|--/, fix: 'Write + 1 or - 1.' },
  { written: /\+=|-=/, fix: 'An expression only gives a value; the key of state_updates names the channel that gets it.' },
  { written: /(?<![=!<>])=(?!=)/, fix: 'To compare, write ==. An expression sets nothing: the key of state_updates names the channel.' },
  { written: /(?<!&)&(?!&)/, fix: 'Write &&.' },
  { written: /(?<!\|)\|(?!\|)/, fix: 'Write ||.' },
  { written: /^\s*if\b/, fix: 'Write condition ? value : otherValue.' },
  { written: /\.length\b/, fix: 'Write size(value).' },
  { written: /\blen\s?\(/, fix: 'Write size(value).' },
  { written: /\b(?:None|nil|undefined)\b/, fix: 'Write null.' },
  { written: /\bTrue\b/, fix: 'Write true.' },
  { written: /\bFalse\b/, fix: 'Write false.' },
  { written: /\bis\s(?:not\s)?null\b/, fix: 'Write == null or != null.' },
  { written: /\.last\(|\blast\(/, fix: 'Write list[size(list) - 1].' },
  { written: /\.(?:toUpperCase|upper)\(/, fix: 'Write text.upperAscii().' },
  { written: /\.(?:toLowerCase|lower)\(/, fix: 'Write text.lowerAscii().' },
  { written: /\.(?:includes|has)\(/, fix: 'Write text.contains("…"), or value in list.' },
  { written: /\.(?:push|append|concat)\(/, fix: 'Write list + [value].' },
  { written: /\bnow\(/, fix: 'An expression knows no time. Give it in the input, or with a tool.' },
  { written: /=>/, fix: 'Write list.map(item, expression), list.filter(item, condition).' },
];

/** Words between values, where they are no prose. */
const operators: readonly UsualMistake[] = [
  { written: /[\w)§\]]\s{1,9}and\s{1,9}[\w(§![]/, fix: 'Write &&.' },
  { written: /[\w)§\]]\s{1,9}or\s{1,9}[\w(§![]/, fix: 'Write ||.' },
  { written: /(?:^|&&|\|\||\()\s{0,9}not\s/, fix: 'Write !value.' },
  { written: /[\w)§\]]\s{1,9}is\s{1,9}[\w§]/, fix: 'Write ==.' },
];

const maxLookedAt = 2_000;

/**
 * What to write instead, for the mistakes that are usual among people who write another language
 * every day; `undefined` if it is none of them.
 *
 * @param names variables of the expression: prose has none of them
 */
export function usualMistake(source: string, names: readonly string[]): string | undefined {
  const text = source.slice(0, maxLookedAt);
  const bare = withoutTexts(text);
  if (bare === null) return 'A text is not closed, or a quote stands inside of it. Use the other kind of quote around it: "it\'s".';
  if (isProse(bare, names)) return quoted;
  return [...mistakes, ...operators].find(({ written }) => written.test(bare))?.fix ?? unfinished(bare);
}

/** The expression with `§` in the place of each text; `null` if a text is not closed. */
function withoutTexts(source: string): string | null {
  let bare = '';
  for (let at = 0; at < source.length; at += 1) {
    const quote = source[at];
    if (quote !== '"' && quote !== "'") {
      bare += quote;
      continue;
    }
    let end = at + 1;
    while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
    if (end >= source.length) return null;
    bare += '§';
    at = end;
  }
  return bare;
}

/** Words one after another, which no expression has. */
function isProse(bare: string, names: readonly string[]): boolean {
  const words = bare.match(/[A-Za-z_]\w*/g) ?? [];
  const usesNames = words.some((word) => names.includes(word));
  return !usesNames && !/\b(?:and|or|is|not|None|True|False|if)\b/.test(bare) && /[A-Za-z]{2}[,;]?\s{1,9}[A-Za-z§]/.test(bare);
}

function unfinished(bare: string): string | undefined {
  if (bare.trim() === '') return 'Write an expression, such as "" for an empty text.';
  if (/§\s{0,9}§/.test(bare)) return 'Join texts with +.';
  const count = (character: string) => bare.split(character).length - 1;
  if (count('(') > count(')')) return 'Close the parenthesis: ).';
  if (count('[') > count(']')) return 'Close the list: ].';
  if (count('{') > count('}')) return 'Close the map: }.';
  if (bare.includes('?') && !bare.includes(':')) return 'Write both values: condition ? value : otherValue.';
  if (/[.+\-*/%<>=&|!?:,]\s{0,9}$/.test(bare)) return 'The expression ends too early: add the value behind it.';
  return undefined;
}
