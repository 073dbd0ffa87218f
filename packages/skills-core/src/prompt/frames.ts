import { escapeAttribute, unescapeAttribute } from './escape.ts';

type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * A text inside one of our elements. The model sees where it begins, where it ends and where it
 * came from; the fold over a transcript recognizes it. `content` must have gone through
 * `insideElement`.
 */
export function frame(element: string, attributes: Attributes, content: string): string {
  return `${openFrame(element, attributes)}\n${content}\n</${element}>`;
}

function openFrame(element: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeAttribute(value)}"`],
  );
  return `<${element}${written.join('')}>`;
}

/** The attributes of a text that begins with this element; `null` for any other text. */
export function readFrame(element: string, text: string): Readonly<Record<string, string>> | null {
  if (!text.startsWith(`<${element}`)) return null;
  const end = text.indexOf('>');
  const tag = text.slice(element.length + 1, end);
  if (end < 0 || (tag !== '' && !tag.startsWith(' '))) return null;
  return Object.fromEntries(Array.from(tag.matchAll(/ ([a-z]+)="([^"]*)"/g), ([, name, value]) => [name, unescapeAttribute(value ?? '')]));
}

/** Elements whose meaning the fold depends on. */
export const contentElement = 'skill_content';
export const unloadedElement = 'skill_unloaded';

/** The answer of a fork, which is no load. */
export const resultElement = 'skill_result';
