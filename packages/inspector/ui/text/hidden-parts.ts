import { hiddenCharacters } from '@repertoire/skills-core/internal';

/**
 * A piece of a text: characters that people see, or one that they do not, as often as it is
 * repeated.
 */
export type TextPart = { readonly text: string } | { readonly codePoint: string; readonly title: string; readonly times: number };

/** Nothing but printable ASCII, tabs and line breaks: no need to look closer. */
const plain = /^[\t\n\r\x20-\x7E]*$/;

/**
 * What terminals and parsers act on and nobody sees, besides what Unicode calls ignorable:
 * controls, lone surrogates, separators, the blank of Braille.
 */
// oxlint-disable-next-line no-control-regex
const controls = /\r(?!\n)|[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u2028\u2029\u2800\uFFF9-\uFFFB]|\p{Surrogate}/gu;

const titles: Readonly<Record<string, string>> = {
  'U+00AD': 'soft hyphen',
  'U+061C': 'Arabic letter mark',
  'U+200B': 'zero-width space',
  'U+200C': 'zero-width non-joiner',
  'U+200D': 'zero-width joiner',
  'U+200E': 'left-to-right mark',
  'U+200F': 'right-to-left mark',
  'U+202A': 'left-to-right embedding',
  'U+202B': 'right-to-left embedding',
  'U+202C': 'end of a direction',
  'U+202D': 'left-to-right override',
  'U+202E': 'right-to-left override',
  'U+2060': 'word joiner',
  'U+2066': 'left-to-right isolate',
  'U+2067': 'right-to-left isolate',
  'U+2068': 'isolate',
  'U+2069': 'end of an isolate',
  'U+FEFF': 'byte order mark',
};

/**
 * Splits a text where it has characters that people do not see and models read. Behind `mostParts`,
 * hidden characters are taken out and counted: a page must stay usable whatever a file holds. Pure.
 */
export function hiddenParts(text: string, mostParts = 2_000): readonly TextPart[] {
  if (plain.test(text)) return [{ text }];
  const found = [
    ...hiddenCharacters(text),
    ...Array.from(text.matchAll(controls), ({ index, 0: character }) => ({ at: index, codePoint: codePointOf(character) })),
  ].toSorted((a, b) => a.at - b.at);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { at, codePoint } of found) {
    const last = parts.at(-1);
    const isRepeated = at === from && last !== undefined && 'codePoint' in last && last.codePoint === codePoint;
    if (at > from) parts.push({ text: text.slice(from, at) });
    from = at + ((text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1);
    if (isRepeated) parts[parts.length - 1] = { ...last, times: last.times + 1 };
    else parts.push({ codePoint, title: titles[codePoint] ?? groupTitle(codePoint), times: 1 });
    if (parts.length > mostParts) return [...parts, ...countedRest(text.slice(from))];
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The same as one string, for where there is no room for elements: titles, labels, options. */
export function shownPlain(text: string): string {
  if (plain.test(text)) return text;
  return hiddenParts(text)
    .map((part) => ('text' in part ? part.text : `⟨${part.codePoint}${part.times > 1 ? ` × ${part.times}` : ''}⟩`))
    .join('');
}

/** The rest of a text with too many: visible characters alone, and how many are missing. */
function countedRest(text: string): TextPart[] {
  const hidden = [...hiddenCharacters(text), ...text.matchAll(controls)].length;
  const seen = text.replaceAll(controls, '').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return [{ codePoint: `${hidden} more`, title: 'hidden characters that are left out here', times: 1 }, { text: seen }];
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function groupTitle(codePoint: string): string {
  const value = Number.parseInt(codePoint.slice(2), 16);
  if (value < 0x20 || (value >= 0x7f && value <= 0x9f)) return 'control character';
  if (value >= 0xd8_00 && value <= 0xdf_ff) return 'half of a character';
  if (value >= 0xe_00_00 && value <= 0xe_00_7f) return 'tag: hidden text for machines';
  if ((value >= 0xfe_00 && value <= 0xfe_0f) || value >= 0xe_01_00) return 'variation selector';
  return 'invisible character';
}
