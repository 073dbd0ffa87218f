/** How far into a text its opener may reach. */
const maxLooked = 160;

/**
 * The parts of an opener, for text in lower case. Each is looked for where the one before ends, so
 * that no pattern has to try combinations. Together they find "this skill should be used when the
 * user explicitly asks for help with ".
 */
const invocation =
  /^(?:(?:this|the) skill (?:(?:should|must|can|may|will) be (?:used|invoked|loaded|activated|triggered|applied|called)|is (?:used|useful|meant|intended)) |(?:use|invoke|load|activate|trigger|apply|call) (?:(?:this|the) skill |this |it )?)/;
const adverb = /^(?:always|only|proactively|automatically) /;
const condition = /^(?:when|whenever|if) /;
const person = /^(?:the |a )?(?:user|users|someone|somebody|person|developer|developers|you) /;
const wish =
  /^(?:is |are )?(?:explicitly |specifically )?(?:asks?|asking|wants?|needs?|requests?|would like|looking|trying|working)(?: you| claude| the agent)? (?:(?:for |to get )?(?:some )?(?:help|assistance|guidance) )?(?=(to |for |with |about |on )?)/;

interface Opener {
  /** Units up to what the opener is about. */
  readonly length: number;
  /**
   * Whether a verb follows, as in "asks to …", or a noun, as in "asks for …"; `undefined` for
   * anything else.
   */
  readonly wish: 'to' | 'for' | undefined;
}

/** A description without openers. */
export interface PlainDescription {
  readonly text: string;
  /** Where the part begins that says when; 0 for none. */
  readonly start: number;
}

/**
 * A description without the words by which nearly all begin: "This skill should be used when the
 * user asks to create a hook" becomes "create a hook". Whoever reads a catalog knows what it is
 * for. The part that says when to use the skill keeps what introduces it: "Use when the user wants
 * to create a hook" becomes "Use to create a hook".
 *
 * @param start where the part begins that says when; 0 for none
 */
export function withoutOpeners(text: string, start: number): PlainDescription {
  const opener = openerOf(text).length;
  // It may reach into the part that says when, as in "used when the user asks to …".
  if (opener >= start) return { text: text.slice(opener), start: 0 };
  const head = text.slice(opener, start);
  const rest = text.slice(start);
  const { length, wish: how } = openerOf(rest);
  return { text: `${head}${how === undefined ? rest : `Use ${how} ${rest.slice(length)}`}`, start: head.length };
}

function openerOf(text: string): Opener {
  const looked = text.slice(0, maxLooked).toLowerCase();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(looked.slice(at));
    at += found?.[0].length ?? 0;
    return found;
  };
  take(invocation);
  take(adverb);
  if (take(condition) === null) return { length: 0, wish: undefined };
  const conditionEnd = at;
  const wished = take(person) === null ? null : take(wish);
  if (wished === null) return { length: unlessAll(text, conditionEnd), wish: undefined };
  const preposition = wished[1] ?? '';
  at += preposition.length;
  return { length: unlessAll(text, at), wish: preposition === '' ? undefined : preposition === 'to ' ? 'to' : 'for' };
}

/** Drops nothing if nothing would be left. Lower case may be longer and move the place. */
function unlessAll(text: string, at: number): number {
  return at < text.length && text.slice(0, at).toLowerCase().length === at ? at : 0;
}
