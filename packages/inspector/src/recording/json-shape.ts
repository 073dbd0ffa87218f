/** A JSON object whose fields are not known. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object; `{}` for anything else. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The value as a list; empty for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; `''` for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Text as it is, everything else as JSON: what models read of a value. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The texts of content that is a text or a list of blocks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => (typeof block === 'string' ? block : textOf(objectOf(block)['text'])))
    .filter((text) => text !== '')
    .join('\n');
}
