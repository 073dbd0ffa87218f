/**
 * Characters that an editor, a diff or a reader could lose. By number, since Unicode classes grow
 * with the engine.
 */
const invisible =
  /[\0-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}\p{Cs}]/gu;
/** The same without the line feed, which stays in a template. */
const invisibleInLines = new RegExp(`(?!\\n)${invisible.source}`, invisible.flags);
const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * Plain data as a literal. The same data gives the same text.
 *
 * Texts with line ends become templates, so that diffs show the same lines as the skill.
 */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return textLiteral(value);
  // Not JSON: of YAML's .inf and .nan it would make null.
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map((item) => `${inner}${literal(item ?? null, inner)},\n`).join('')}${indent}]`;
  }
  return objectLiteral(
    Object.entries(value).flatMap(([key, child]) => (child === undefined ? [] : [[key, literal(child, inner)] as const])),
    indent,
  );
}

/** An object of members that are code already. */
export function objectLiteral(members: readonly (readonly [key: string, code: string])[], indent: string): string {
  return members.length === 0 ? '{}' : `{\n${members.map(([key, code]) => `${indent}  ${keyLiteral(key)}: ${code},\n`).join('')}${indent}}`;
}

/** Text as a literal. */
export function textLiteral(text: string): string {
  if (!text.includes('\n')) return quoted(text);
  return `\`${escaped(text, invisibleInLines).replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
}

function keyLiteral(key: string): string {
  // Written plainly, it would set the prototype.
  if (key === '__proto__') return `['__proto__']`;
  // Never a template: that is no name of a property.
  return identifier.test(key) ? key : quoted(key);
}

function quoted(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`;
}

function escaped(text: string, which: RegExp = invisible): string {
  return text.replaceAll('\\', '\\\\').replace(which, (character) => {
    if (character === '\t') return '\\t';
    if (character === '\r') return '\\r';
    if (character === '\n') return '\\n';
    return [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
  });
}
