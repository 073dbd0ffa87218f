import { splitReferrals } from '../text/without-referrals.ts';
import type { AnalyzedSkill } from './analyzed-skill.ts';

/**
 * What precedes the name of a skill that takes over: "use `billing`", "see the skill billing", "→
 * billing".
 */
const handsOver =
  /(?:→|=>|->|\b(?:use|see|prefer|try|load|invoke|to|with|via|by|instead))\s{0,3}(?:the\s{1,3})?(?:skill\s{1,3})?["'`(/*]{0,3}$/i;
/** Characters that are looked at before a name. */
const before = 40;
const maxCharacters = 8_192;

/**
 * Whether the description hands requests over to another skill by its name, as "for paid ads, use
 * ad-creative" does. A name that is only mentioned hands nothing over.
 */
export function refersTo({ description, whenToUse = '' }: AnalyzedSkill, { name, description: others }: AnalyzedSkill): boolean {
  const text = `${description}\n${whenToUse}`.slice(0, maxCharacters).toLowerCase();
  // The other skill names itself in the same way, so this is a copied description, and no referral.
  if (placesOf(others.slice(0, maxCharacters).toLowerCase(), name).length > 0) return false;
  const { referrals } = splitReferrals(text);
  if (placesOf(referrals, name).length > 0) return true;
  return placesOf(text, name).some((at) => handsOver.test(text.slice(Math.max(0, at - before), at)));
}

/** Finds where a name stands as a word of its own: `ads` is not in `ads-creative`. */
function placesOf(text: string, name: string): number[] {
  const wanted = name.toLowerCase();
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    if (!isNamePart(text[at - 1]) && !isNamePart(text[at + wanted.length])) places.push(at);
  }
  return places;
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_-]/u.test(character);
}
