import { scriptHeader } from './bundle-header.ts';
import { textLiteral } from './literal.ts';

/** Takes the code of a module, and gives what to import to get it. */
export type BundleChunk = (code: string) => string;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The code of a content: a text, or bytes by way of `decode`. */
export function contentCode(content: string | Uint8Array): string {
  return typeof content === 'string' ? textLiteral(content) : `decode('${Buffer.from(content).toString('base64')}')`;
}

/** A module that exports a content. */
export function contentModule(content: string | Uint8Array): string {
  const decode = typeof content === 'string' ? '' : `\n${decodeFunction(false)}`;
  return `${scriptHeader}export const content = () => ${contentCode(content)};\n${decode}`;
}

/** A function that gives a content, of the bundle itself or of a chunk. */
export function contentLoader(content: string | Uint8Array, chunk: BundleChunk | undefined, indent: string): string {
  if (chunk === undefined) return `() => ${contentCode(content)}`;
  return importOf(chunk(contentModule(content)), 'module.content()', indent);
}

/** A function that imports a chunk and gives what is made of it. */
export function importOf(specifier: string, result: string, indent: string): string {
  // It has no types of its own: a file of them for each would be as many files again.
  return `() =>\n${indent}// @ts-ignore\n${indent}import(${textLiteral(specifier)}).then((module) => ${result})`;
}

/** Written so that it type-checks with any `lib`: not each of them knows `atob`. */
export function decodeFunction(typed: boolean): string {
  return typed
    ? `function decode(base64: string): Uint8Array {
  const { atob } = globalThis as unknown as { atob(text: string): string };
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
`
    : `function decode(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
`;
}

/**
 * The text of bytes that are exactly its UTF-8; `null` for any other, and for a text with NUL,
 * which is shorter in base64.
 */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
