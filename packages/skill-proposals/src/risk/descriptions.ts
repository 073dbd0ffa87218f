/** Orders to the model that chooses a skill: a description stands in every prompt. */
const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s(?:all\s|any\s)?(?:of\s)?(?:the\s|your\s)?(?:previous|prior|earlier|above|other|preceding)\s(?:instructions?|prompts?|rules?|skills?|messages?)/i,
  /\b(?:do\snot|don't|never)\s(?:tell|inform|mention\sthis\sto|reveal\sthis\sto)\s(?:the\s)?user\b/i,
  /\b(?:override|bypass)s?\s(?:the\s|all\s|your\s)?(?:system\sprompt|safety|guardrails|instructions)\b/i,
  // recheck: at most 10,000 characters are looked at, and 80 of them for each bracket.
  /<\/?(?:system|assistant|user|instructions?|available_skills|skill|important)\b[^>]{0,80}>/i,
  /\[(?:INST|SYSTEM)\]|<\|[a-z_]{2,30}\|>/i,
  /\b(?:instead\sof|rather\sthan)\s(?:any|all)\sother\s(?:skill|tool)s?\b/i,
  /\b(?:always|must)\s(?:be\s)?(?:use|load|invoke|call|run)(?:ed|d)?\s(?:this\s)?(?:skill\s)?(?:first\b|before\s(?:any|all|every|each)\b)/i,
  // recheck: at most 10,000 characters are looked at, and 40 of them for each word.
  /\b(?:always|must|should)\b[^.]{0,40}\b(?:for|on|in|with)\s(?:every|all|each|any)\s(?:single\s|user\s)?(?:requests?|messages?|conversations?|responses?|prompts?|turns?|questions?)\b/i,
  /\bno\smatter\swhat\s(?:the\s)?(?:user|task|request|they)\b/i,
];
/** Words that quote an attack, or say that a skill guards against one. */
// recheck: each part is bounded.
const guards = /["“'`][^"”'`]{0,10}$|\b(?:against|detects?|prevents?|blocks?|attempts?|such\sas|like|e\.g\.)\s[^.]{0,30}$/i;

/** The order that a description gives, if it does. A skill against such orders quotes them. */
export function orderInDescription(description: string): string | undefined {
  return orders
    .map((form) => form.exec(description))
    .find((found) => found !== null && !guards.test(description.slice(Math.max(0, found.index - 60), found.index)))?.[0];
}
