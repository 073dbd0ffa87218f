/** Words without meaning for the topic of a text. */
const commonWords = new Set(
  (
    'a about after again all also am an and any are as asked at be because been before but by can could did do does doing done each every for from get give given had has have help ' +
    'her here his how i if in into is it its just let like made make makes making many me more most much my need needs new no not now of on one or other our out over please put said ' +
    'say see she should show so some such take tell than thanks that the their them then there these they thing this those to too two us use used user using very want was way we were ' +
    'what when where which while who why will with without work would write writes writing you your'
  ).split(' '),
);

/** The meaningful words of a text: each once, by its stem, with its first form. */
export function wordsOf(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [word] of text.matchAll(/\p{L}[\p{L}\d]+/gu)) {
    const lower = word.toLowerCase();
    const stem = stemOf(lower);
    if (!commonWords.has(lower) && !words.has(stem)) words.set(stem, word);
  }
  return words;
}

/** How rare each word is among texts: 0 for a word that all contain, higher for rarer words. */
export function rarityOf(texts: readonly string[]): (stem: string) => number {
  const sets = texts.map((text) => wordsOf(text));
  return (stem) => Math.log((sets.length + 1) / (sets.filter((words) => words.has(stem)).length + 1));
}

/** Rough English stemming: enough to match "queries" with "query". */
function stemOf(word: string): string {
  const singular = word.replace(/ies$/, 'y').replace(/(ss|us|is)$|s$/, '$1');
  const stem = singular.replace(/(?:ing|ed|e)$/, '');
  return stem.length >= 3 ? stem.replace(/([^aeiouls])\1$/, '$1') : singular;
}
