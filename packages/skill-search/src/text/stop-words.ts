/**
 * English words without meaning for a task. Descriptions rarely contain "I" or "my", so without
 * this list these rare words would have a high weight in requests. Single letters are the rest of
 * "don't", "user's" and "we'll".
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by can could d did do does doing don ' +
    'down during each few for from further get had has have having he her here hers him his how i if in into is it its itself just let ll m me more most my ' +
    'no nor not of off on once only or other our ours out over own please re s same she should so some such t than that the their theirs them then there ' +
    'these they this those through to too under until up us ve very was we were what when where which while who whom why will with would you your yours'
  ).split(' '),
);

/**
 * Chinese particles, pronouns, prepositions and auxiliaries. A pair of characters with one of them
 * usually spans two words, so such pairs are dropped from requests. They are kept in the index,
 * since some of these characters also occur in words (会议, 要求).
 */
export const functionCharacters: RegExp = /[的了吗呢吧啊们我你您他她它这那是在和与把被给让请帮就都也很要会能个不有没]/;

/** How many English words without meaning for a task a text has. */
export function englishCount(text: string): number {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => stopWords.has(word)).length;
}
