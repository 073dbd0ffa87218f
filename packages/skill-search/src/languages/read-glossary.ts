/** English translations, by the stem of the word in the other language. */
export type Glossary = ReadonlyMap<string, readonly string[]>;

/** Reads entries such as `invoice:rechnung faktura`, separated by `;` or line ends. */
export function readGlossary(lines: string, stem: (word: string) => string): Glossary {
  const glossary = new Map<string, string[]>();
  for (const line of lines.split(/[;\n]/)) {
    const [english = '', words = ''] = line.trim().split(':');
    for (const word of words.split(' ').filter((one) => one !== '')) {
      const known = glossary.get(stem(word)) ?? [];
      if (!known.includes(english)) known.push(english);
      glossary.set(stem(word), known);
    }
  }
  return glossary;
}
