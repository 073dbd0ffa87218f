/** A text on one line, cut to a number of characters. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
