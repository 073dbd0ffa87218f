/**
 * What may hide in a text that a person sees and a model reads differently: control characters,
 * everything that Unicode says to show as nothing (zero-width and bidirectional marks, tag
 * characters, fillers, variation selectors), the place of an object, and surrogates without a
 * partner. Joiners are kept, but not several in a row, and so are the selectors behind an emoji.
 * Classes of Unicode are slow to make, so it is made when a text needs it.
 */
const invisible = (): RegExp =>
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFF9-\uFFFC]|(?<=[\u200C\u200D])[\u200C\u200D]|(?![\u200C\u200D]|(?<=\p{Emoji})[\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|\p{Surrogate}/gu;

/**
 * Characters that are all visible: ASCII, Latin, Greek and Cyrillic letters, the usual dashes,
 * quotes, arrows and signs, and those of Chinese, Japanese and Korean. Not all such characters, but
 * those of most texts. To see that a text has no others takes a tenth of the time that looking for
 * invisible ones does.
 */
const visible =
  '!-~\\u00A1-\\u00AC\\u00AE-\\u024F\\u0370-\\u0482\\u2010-\\u2027\\u2030-\\u205E\\u2190-\\u23FF\\u2460-\\u27BF\\u3001-\\u303F\\u3041-\\u30FF\\u4E00-\\u9FFF\\uAC00-\\uD7A3';

/** Words with one blank between them. */
const plainLine = /* @__PURE__ */ new RegExp(`^(?! )(?:[${visible}]| (?! |$))+$`);
const plainText = /* @__PURE__ */ new RegExp(`^[\\t\\n\\r ${visible}]*$`);

/** One line without invisible characters. Joiners of scripts and emoji are kept. */
export function oneLine(text: string): string {
  // Most texts are so already, and the patterns below are slow to compile.
  if (plainLine.test(text)) return text;
  // The empty pattern of Braille is a blank that no trimming knows.
  return text
    .replace(invisible(), '')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim();
}

/** The first character that {@link oneLine} removes, but soft hyphens and direction marks. */
export function firstInvisible(text: string): string | undefined {
  if (plainText.test(text)) return undefined;
  // The empty pattern of Braille, too.
  const found = text
    .match(new RegExp(`${invisible().source}|\\u2800`, 'gu'))
    ?.find((character) => !/[\u00AD\u061C\u200E\u200F]/.test(character));
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}`;
}

/** Text for the inside of an element. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character);
}

/** Text for an attribute. Invisible characters become references, so nothing is lost. */
export function escapeAttribute(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
  return plainLine.test(text) ? escaped : escaped.replace(invisible(), reference).replace(/[^\S ]|\u2800/gu, reference);
}

/** The reverse of {@link escapeAttribute}. */
export function unescapeAttribute(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x([0-9a-f]{1,6}));/g, (entity, code: string | undefined) =>
    code === undefined ? (characters[entity] ?? entity) : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
  );
}

function reference(character: string): string {
  return `&#x${character.codePointAt(0)?.toString(16) ?? ''};`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

const elementNames = [
  'skill_content',
  'skill_file',
  'skill_result',
  'skill_script',
  'skill_unloaded',
  'available_skills',
  'skill_candidates',
];

/** What shows nothing, or a blank, wherever it stands. */
const unseen = '\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC';
/** Spellings of `<`, `/` and `_` that a model may take for them. */
const openBracket = '[<\\uFF1C\\uFE64]';
/**
 * Whether one of our elements may begin: each begins with "sk" or "av", and any other character
 * than ASCII may be a spelling of these, or show nothing. It takes a hundredth of the time that
 * {@link ownElement} takes to be made, and few texts have either.
 */
const mayBegin = /[<\uFF1C\uFE64][\s/\\]*(?:s(?:k|[^\0-\x7F])|a(?:v|[^\0-\x7F])|[^\0-\x7F])/i;
const slash = '/\\uFF0F\\u2044\\u2215\\\\';
const joiner = '[_\\uFF3F\\uFE4D-\\uFE4F\\p{Pd}\\u2212\\s.]?';

/** A letter in its own and its full-width form. */
function spellings(character: string): string {
  return character === '_' ? joiner : `[${character}${String.fromCharCode(character.charCodeAt(0) + 0xfee0)}]`;
}

let ownElements: RegExp | undefined;

/**
 * Our own elements, opening or closing, in any spelling. Made when a text may have one: it takes
 * four milliseconds.
 */
const ownElement = (): RegExp =>
  (ownElements ??= new RegExp(
    `${openBracket}(?=[\\s${slash}${unseen}]*(?:${elementNames.map((name) => [...name].map(spellings).join(`[${unseen}]*`)).join('|')}))`,
    'giu',
  ));

/**
 * A body or a file, ready to stand inside one of our elements: it is left as it is, but what looks
 * like one of these elements loses its bracket, so that it can neither close its own nor open
 * another.
 */
export function insideElement(text: string): string {
  return mayBegin.test(text) ? text.replace(ownElement(), '&lt;') : text;
}
