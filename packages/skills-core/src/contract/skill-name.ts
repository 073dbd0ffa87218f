import { trimWhere } from './trim-end.ts';

/** The most Unicode code points in a name, by the specification. */
export const maxSkillNameLength = 64;

/** So much of a name is checked, in UTF-16 units: more than any valid name has. */
const checkedCharacters = 256;

/** One rule that a name breaks. */
export interface SkillNameIssue {
  readonly code:
    | 'name-empty'
    | 'name-too-long'
    | 'name-not-lowercase'
    | 'name-edge-hyphen'
    | 'name-double-hyphen'
    | 'name-invalid-characters';
  /** The rule in words, ready to stand behind "name". */
  readonly message: string;
}

/** NFKC and trimmed, to compare names. macOS returns folder names in NFD. */
export function normalizeSkillName(name: string): string {
  const trimmed = name.trim();
  // Loading the Unicode tables takes longer than reading a hundred skills.
  return isAscii(trimmed) ? trimmed : trimmed.normalize('NFKC');
}

/** Whether a name certainly is valid ASCII, as nearly all are. */
export function isPlainName(name: string): boolean {
  return name.length <= maxSkillNameLength && /^[a-z\d]+(?:-[a-z\d]+)*$/.test(name);
}

/**
 * Returns all rules of the standard that a name breaks; none for a valid one. Letters and digits of
 * every script are accepted, as the reference library's tests require (`技能`, `навык`), though the
 * specification's text speaks of `a-z`.
 *
 * @example
 * ```ts
 * import { checkSkillName } from '@repertoire/skills-core/provider';
 *
 * export const codes = checkSkillName('My_Skill').map(({ code }) => code); // ['name-not-lowercase', 'name-invalid-characters']
 * ```
 */
export function checkSkillName(name: string): SkillNameIssue[] {
  // A longer name breaks the second rule anyway.
  const isCut = name.length > checkedCharacters;
  const normalized = normalizeSkillName(isCut ? name.slice(0, checkedCharacters) : name);
  if (normalized === '') return [{ code: 'name-empty', message: 'must not be empty' }];
  const issues: SkillNameIssue[] = [];
  const length = [...normalized].length;
  if (length > maxSkillNameLength || isCut) {
    const count = isCut ? `more than ${checkedCharacters}` : length;
    issues.push({ code: 'name-too-long', message: `exceeds ${maxSkillNameLength} characters (${count})` });
  }
  if (normalized !== normalized.toLowerCase()) issues.push({ code: 'name-not-lowercase', message: 'must be lowercase' });
  if (normalized.startsWith('-') || normalized.endsWith('-')) {
    issues.push({ code: 'name-edge-hyphen', message: 'must not start or end with a hyphen' });
  }
  if (normalized.includes('--')) issues.push({ code: 'name-double-hyphen', message: 'must not contain consecutive hyphens' });
  if (!(isAscii(normalized) ? /^[A-Za-z\d-]+$/ : /^[\p{L}\p{N}-]+$/u).test(normalized)) {
    issues.push({ code: 'name-invalid-characters', message: 'may contain only letters, digits and hyphens' });
  }
  return issues;
}

/** The part of a name that some hosts reserve for themselves; `undefined` if there is none. */
export function reservedWordIn(name: string): string | undefined {
  const folded = name.toLowerCase();
  return folded.includes('anthropic') || folded.includes('claude') ? /anthropic|claude/i.exec(name)?.[0] : undefined;
}

/**
 * The nearest valid name, for suggestions: `My_Skill v2` gives `my-skill-v2`. Empty where nothing
 * usable is left.
 */
export function suggestSkillName(name: string): string {
  const folded = normalizeSkillName(name.slice(0, checkedCharacters)).toLowerCase();
  const slug = folded.replace(isAscii(folded) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, '-');
  return trimHyphens([...trimHyphens(slug)].slice(0, maxSkillNameLength).join(''));
}

function isAscii(text: string): boolean {
  return /^[\u0000-\u007F]*$/.test(text);
}

function trimHyphens(text: string): string {
  return trimWhere(text, (character) => character === '-');
}

/**
 * The order of every listing: by UTF-16 code units, which no locale changes.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
