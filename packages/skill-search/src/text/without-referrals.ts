/** Ends of sentences, in Latin and in Chinese and Japanese. */
const sentenceEnd = /(?<=[.!?;]\s|[。！？；])/;
const disclaimer =
  /^\W{0,8}(?:do(?:es)? not|don['’]?t|not|never|avoid|skip)\b[^a-z]{0,8}(?:be )?(?:us(?:e|ed|ing)|trigger|for|invoke|when|if|meant|this)\b/i;
const forOthers = /^\W{0,8}for\b/i;
/** "For paid ads, use ad-creative.", but not "For paid ads: use this when …". */
const referral = /(?:\b(?:see|use|prefer)\b(?!\s(?:this|when|whenever|if|for|to|it|on|in|after|before|while|during)\b)|→)/i;

/** A description, cut into what it claims for its skill and what it leaves to others. */
export interface SplitDescription {
  /** What the skill is for. */
  readonly claims: string;
  /** The sentences that say what it is *not* for, such as "Do not use for audits." */
  readonly referrals: string;
}

/**
 * Cuts a description by its sentences. Each of them is in one of both parts.
 */
export function splitReferrals(description: string): SplitDescription {
  const claims: string[] = [];
  const referrals: string[] = [];
  for (const sentence of description.split(sentenceEnd)) {
    const isReferral = disclaimer.test(sentence) || (forOthers.test(sentence) && referral.test(sentence));
    (isReferral ? referrals : claims).push(sentence);
  }
  return { claims: claims.join(''), referrals: referrals.join('') };
}

/**
 * Removes the sentences from a description that say what the skill is *not* for: "Do not use for
 * audits." and "For paid ads, see ad-creative." Their words would find this skill when another one
 * is meant. If nothing else remains, the whole description counts.
 */
export function withoutReferrals(description: string): string {
  const { claims } = splitReferrals(description);
  return claims.trim() === '' ? description : claims;
}
