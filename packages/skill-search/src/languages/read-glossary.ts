/** The English words of a word, by its stem. */
export type Glossary = ReadonlyMap<string, readonly string[]>;

/** Reads entries of an English word, `:`, and its translations, separated by `;` or line ends. */
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
