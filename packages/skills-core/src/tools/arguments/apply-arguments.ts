import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { splitArguments } from './split-arguments.ts';

/** What of a skill decides about its arguments. */
export type ArgumentTaker = Pick<SkillMetadata, 'arguments' | 'argumentHint'> & { readonly body: string };

/** Code, where `$1` is more likely a shell's. Linear on whatever a body holds. */
const fences = /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)|$(?![\s\S]))/gm;
const spans = /`[^`\n]*`/g;

/** Bounds what arguments add: a body may repeat them many times. */
const maxAddedCharacters = 1_000_000;
/** Characters in which the brace of a program must stand. */
const lookedBehind = 200;

/** `$1` in prose: at the start of a word, and not a price. */
const proseNumber = /(?:^|[\s("'[])\$(\d{1,3})(?![\w]|[.,]\d)/gm;

/**
 * Whether a skill takes arguments: it says so in its frontmatter (`arguments`, `argument-hint`),
 * uses `$ARGUMENTS`, or counts from `$0` or `$1` in prose. In any other skill text that looks like
 * a placeholder is left alone: prices such as `$5`, awk programs, shell variables.
 */
export function takesArguments({ arguments: names, argumentHint, body }: ArgumentTaker): boolean {
  if ((names?.length ?? 0) > 0 || argumentHint !== undefined) return true;
  if (/\$ARGUMENTS(?!\w)/.test(body)) return true;
  return [...withoutCode(body).matchAll(proseNumber)].some(([, number]) => Number(number) < 2);
}

/** The body with blanks in place of code, so that positions stay. */
function withoutCode(body: string): string {
  return body.replace(fences, (code) => code.replace(/[^\n]/g, ' ')).replace(spans, (code) => ' '.repeat(code.length));
}

/** A field of awk or a variable of a program: in code, behind a brace that the line opened. */
function isOfProgram(body: string, prose: string, position: number): boolean {
  return prose[position] !== '$' && /\{[^{}\n]*$/.test(body.slice(Math.max(0, position - lookedBehind), position));
}

/**
 * Puts arguments into a body. `$ARGUMENTS` is all of them as typed; `$ARGUMENTS[0]` or `$0` is the
 * first, split as a shell splits; `$name` is the argument that the frontmatter's `arguments` names
 * so. A number without an argument stays as it is, a name without one becomes empty. `\$1` is a
 * literal `$1`. A price (`$1.00`) is never a placeholder, nor is the field of an awk program
 * (`{print $1}` in code).
 *
 * Arguments are put in once: what looks like a placeholder inside an argument stays. Where the body
 * has no place for them, they are appended as `ARGUMENTS: …`; nothing is done to a body that takes
 * none and gets none.
 *
 * @throws {SkillError} `limit-exceeded` where the arguments, repeated, would add more than a
 *   million characters
 */
export function applyArguments(skill: ArgumentTaker, given: string | undefined): string {
  const { body } = skill;
  const text = given?.trim() ?? '';
  if (!takesArguments(skill)) return append(body, text);
  const values = splitArguments(text);
  const names = skill.arguments ?? [];
  let placed = false;
  let added = 0;
  const prose = withoutCode(body);
  const place = (...[match, slashes, index, number, name, start]: [string, string, string?, string?, string?, number?]): string => {
    if (slashes.length % 2 === 1) return match.slice(1);
    if (number !== undefined && isOfProgram(body, prose, (start ?? 0) + slashes.length)) return match;
    const position = index ?? number;
    let value: string | undefined;
    if (position !== undefined) value = values[Number(position)];
    else if (name !== undefined) value = values[names.indexOf(name)] ?? '';
    else value = text;
    if (value === undefined) return match;
    placed = true;
    added += value.length;
    if (added > maxAddedCharacters) throw tooLong();
    return slashes + value;
  };
  const applied = body.replace(placeholders(names), place);
  return placed ? applied : append(applied, text);
}

function tooLong(): SkillError {
  return new SkillError(
    'limit-exceeded',
    `The arguments would make the instructions more than ${maxAddedCharacters} characters longer, since the skill repeats them. Give shorter ones.`,
  );
}

function append(body: string, text: string): string {
  if (text === '') return body;
  return body === '' ? `ARGUMENTS: ${text}` : `${body}\n\nARGUMENTS: ${text}`;
}

/** Slashes, index, number, name. Longest names first: `$issue-id` is not `$issue`. */
function placeholders(names: readonly string[]): RegExp {
  const alternatives = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const named = alternatives.length === 0 ? '(?!)()' : `(${alternatives.join('|')})(?![\\p{L}\\p{N}_])`;
  return new RegExp(
    `(?<!\\\\)(\\\\*)\\$(?:ARGUMENTS\\[(\\d{1,3})\\]|(\\d{1,3})(?![\\p{L}\\p{N}_]|[.,]\\d)|${named}|ARGUMENTS(?![\\p{L}\\p{N}_]))`,
    'gu',
  );
}
