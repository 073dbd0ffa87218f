/** Ends of sentences, in Latin and in Chinese and Japanese. */
const sentenceEnd = /(?<=[.!?;]\s|[。！？；])/;
const disclaimer =
  /^\W{0,8}(?:do(?:es)? not|don['’]?t|not|never|avoid|skip)\b[^a-z]{0,8}(?:be )?(?:us(?:e|ed|ing)|trigger|for|invoke|when|if|meant|this)\b/i;
const forOthers = /^\W{0,8}for\b/i;
const referral = /(?:\b(?:see|use|prefer)\b|→)/i;

/**
 * A description without the sentences that say what the skill is *not* for: "Do not use for
 * audits." and "For paid ads, see ad-creative." Their words would find this skill when another one
 * is meant. If nothing else remains, the whole description counts.
 */
export function withoutReferrals(description: string): string {
  const kept = description
    .split(sentenceEnd)
    .filter((sentence) => !disclaimer.test(sentence) && !(forOthers.test(sentence) && referral.test(sentence)));
  const text = kept.join('');
  return text.trim() === '' ? description : text;
}
