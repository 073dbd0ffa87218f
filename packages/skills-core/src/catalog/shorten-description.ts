import type { SkillMetadata } from '../contract/skill-provider.ts';
import { oneLine } from '../prompt/escape.ts';
import { shortenText } from './shorten-text.ts';

/** The part of the room that belongs to *when* a skill is to be used; what it does has the rest. */
const whenPart = 0.6;
/** How far into a description it is looked for. */
const maxLooked = 2_000;

/**
 * Where a description begins to say when the skill is to be used: a sentence, or a part of one, such as "Use when …", "Triggers on …" or "when
 * the user …". A sentence that says when not to is none. For text in lower case: compiling a pattern that ignores case takes ten times as long.
 */
const whenPattern =
  /(?:[.!?:;,—–-] |[。！？；，、])(?=(?:(?:al(?:ways|so)|only|proactively|best|(?:should|must|can) be) )*(?:used?|useful|invoked?|appl(?:y|ie[ds])|activated?|trigger(?:s|ed)?|load|choose|pick|call|run) (?:(?:proactively|this|it|skill|whenever|even|automatically) )*(?:when(?:ever)?|for|if|to|on|before|after|during|with|as|once|where)\b|when(?:ever)? |if (?:the user|a user|you|someone|asked)|trigger(?:s| words| phrases)?:|当|在需要|用于|适用|使用場面|場合|とき)| (?<!(?:\bnot|n't|except|even) )(?=when(?:ever)? (?:the user|a user|users|someone|asked|you)\b)/;

/** The same in the summary of a skill, which may have a field of its own for it. */
export function whenStartOf({ whenToUse }: Pick<SkillMetadata, 'whenToUse'>, summary: string): number {
  return whenToUse === undefined ? whenStart(summary) : summary.length - oneLine(whenToUse).length;
}

/** Where the part begins that says when; 0 if nothing does, or if the description begins with it. */
export function whenStart(text: string): number {
  const looked = text.slice(0, maxLooked);
  const lower = looked.toLowerCase();
  // A few letters have a longer lower case, which would move the place.
  const found = whenPattern.exec(lower.length === looked.length ? lower : looked);
  return found === null ? 0 : found.index + found[0].length;
}

/**
 * A one-line description in at most `maxCharacters` UTF-16 units. Where it does not fit, it keeps the beginning of what the skill does and the
 * beginning of what says when to use it: the latter is what a model decides by. More room never gives less text.
 *
 * @param start where the part begins that says when
 */
export function shortenDescription(text: string, maxCharacters: number, start: number = whenStart(text)): string {
  if (text.length <= maxCharacters) return text;
  if (start === 0) return shortenText(text, maxCharacters);
  const head = text.slice(0, start).trimEnd();
  const when = text.slice(start);
  const room = Math.floor(maxCharacters) - 1;
  const forHead = Math.max(0, room - Math.min(when.length, Math.floor(room * whenPart)));
  const first = shortenText(head, forHead);
  const second = shortenText(when, room - Math.min(forHead, head.length));
  return [first, second].filter((part) => part !== '').join(' ');
}
