import type { SkillFieldValue } from '../contract/skill-provider.ts';

/** A part of `allowed-tools` that was left out or joined. */
export interface AllowedToolsIssue {
  readonly code: 'unbalanced' | 'not-text' | 'joined' | 'labelled';
  /** What is wrong, in a sentence, with the part. */
  readonly message: string;
}

/** The outcome of {@link parseAllowedTools}. */
export interface AllowedTools {
  /** One pattern an element, as written, in the order of the file, each once. */
  readonly patterns: string[];
  /** How they are separated; `none` where there is at most one. */
  readonly form: 'space' | 'comma' | 'mixed' | 'list' | 'none';
  readonly issues: AllowedToolsIssue[];
}

/**
 * Splits `allowed-tools` into patterns. All forms that are in use are understood: separated by
 * spaces (the specification), by commas, by commas and line breaks, and YAML lists, whose elements
 * are kept whole. Spaces and commas inside parentheses or quotes separate nothing:
 * `Bash(git add *)` is one pattern.
 *
 * What cannot be read asks for nothing: an unbalanced part is left out, never cut into wider
 * patterns; a map, and lines with labels (`bash: ls, rm`), are left out whole.
 */
export function parseAllowedTools(value: SkillFieldValue): AllowedTools {
  const issues: AllowedToolsIssue[] = [];
  if (typeof value === 'string') {
    const { parts, form } = splitText(value, issues);
    return { patterns: distinct(parts), form, issues };
  }
  if (!Array.isArray(value)) {
    issues.push({ code: 'not-text', message: 'It is a map, where text or a list of texts is expected.' });
    return { patterns: [], form: 'none', issues };
  }
  return { patterns: distinct(listPatterns(value, issues)), form: 'list', issues };
}

interface Token {
  text: string;
  /** Whether its parentheses are closed, and none is closed that was not open. */
  balanced: boolean;
  /** Whether it was put together from parts. */
  joined?: boolean | undefined;
}

const maxShownCharacters = 200;

/** A tool, and what stands in parentheses behind it, without quotes or further ones. */
const plainPattern = /\w+(?:\([^()'"]*\))?/g;
const plainWithSpaces = /^\w+(?:\([^()'"]*\))?(?: \w+(?:\([^()'"]*\))?)*$/;
const plainWithCommas = /^\w+(?:\([^()'"]*\))?(?:, ?\w+(?:\([^()'"]*\))?)+$/;

function splitText(text: string, issues: AllowedToolsIssue[]): { parts: string[]; form: AllowedTools['form'] } {
  const trimmed = text.trim();
  // What is left of `key:` without a value; in this field nothing else can be meant.
  if (trimmed === '' || trimmed === '~' || trimmed === 'null') return { parts: [], form: 'none' };
  // As most lists are: nothing in them has to be looked at more closely.
  const form = plainWithSpaces.test(trimmed) ? 'space' : plainWithCommas.test(trimmed) ? 'comma' : undefined;
  const parts = form === undefined ? null : trimmed.match(plainPattern);
  if (form !== undefined && parts !== null) return { parts, form: parts.length > 1 ? form : 'none' };
  return splitClosely(trimmed, issues);
}

function splitClosely(trimmed: string, issues: AllowedToolsIssue[]): { parts: string[]; form: AllowedTools['form'] } {
  const tokens: Token[] = [];
  let commas = 0;
  let spaces = 0;
  const lastParenthesis = trimmed.lastIndexOf(')');
  let position = 0;
  while (position < trimmed.length) {
    const separator = /^[\s,]*/.exec(trimmed.slice(position))?.[0] ?? '';
    if (tokens.length > 0) {
      if (separator.includes(',')) commas += 1;
      else if (separator !== '') spaces += 1;
    }
    position += separator.length;
    if (position >= trimmed.length) break;
    const { token, end } = readToken(trimmed, position, lastParenthesis);
    position = end;
    const previous = tokens.at(-1);
    if (token.text.startsWith('(') && previous !== undefined && !separator.includes(',')) {
      // `Bash (git:*)`: apart, the first word would ask for all of Bash.
      previous.text += token.text;
      previous.balanced &&= token.balanced;
      previous.joined = true;
      spaces -= 1;
    } else if (token.text !== '-') {
      tokens.push(token);
    }
  }
  // Once for each, not for each part: a pattern of thousands of parts would be shown thousands of
  // times.
  for (const { text: pattern, joined } of tokens) {
    if (joined !== true) continue;
    issues.push({
      code: 'joined',
      message: `${shown(pattern)} is written with a space before the parenthesis; it was read as one pattern.`,
    });
  }
  const label = tokens.find(({ text: word }) => /^[\w-]+:$/.test(word));
  if (label !== undefined) {
    // Lines such as `bash: ls, rm`: split at spaces, `ls` would be asked for as a tool.
    issues.push({
      code: 'labelled',
      message: `${shown(label.text)} is a label, not a pattern of a tool, so nothing of it was read.`,
    });
    return { parts: [], form: 'none' };
  }
  const form = commas > 0 ? (spaces > 0 ? 'mixed' : 'comma') : spaces > 0 ? 'space' : 'none';
  return { parts: tokens.filter((token) => isUsable(token, issues)).map((token) => token.text), form };
}

function readToken(text: string, start: number, lastParenthesis: number): { token: Token; end: number } {
  const quoteMark = text[start];
  if (quoteMark === '"' || quoteMark === "'") {
    const close = text.indexOf(quoteMark, start + 1);
    if (close !== -1 && /^(?:[\s,]|$)/.test(text.slice(close + 1, close + 2))) {
      const inner = text.slice(start + 1, close).trim();
      return { token: { text: inner, balanced: isBalanced(inner) }, end: close + 1 };
    }
  }
  let depth = 0;
  let index = start;
  let balanced = true;
  while (index < text.length) {
    const character = text[index] as string;
    if (depth === 0 && /[\s,]/.test(character)) break;
    if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth < 0) {
        balanced = false;
        depth = 0;
      }
    } else if (depth > 0 && (character === '"' || character === "'")) {
      index = endOfQuoted(text, index, lastParenthesis);
    }
    index += 1;
  }
  return { token: { text: text.slice(start, index), balanced: balanced && depth === 0 }, end: index };
}

/** Index of the closing quote; of the opening one where it is only an apostrophe. */
function endOfQuoted(text: string, start: number, lastParenthesis: number): number {
  const close = text.indexOf(text[start] as string, start + 1);
  return close !== -1 && close < lastParenthesis ? close : start;
}

function listPatterns(list: readonly SkillFieldValue[], issues: AllowedToolsIssue[]): string[] {
  const tokens: Token[] = [];
  let open = false;
  for (const item of list) {
    if (typeof item !== 'string') {
      issues.push({ code: 'not-text', message: `${shown(item)} is not text.` });
      continue;
    }
    const text = item.trim();
    const previous = tokens.at(-1);
    if (previous !== undefined && !previous.balanced && open) {
      // In `[Bash(a,b)]` YAML splits at the comma inside the parentheses.
      previous.text += `,${text}`;
      open = opens(text) ?? open;
      // Looked at once, when it may be whole: behind it, nothing is added.
      previous.balanced = !open && isBalanced(previous.text);
      if (previous.balanced)
        issues.push({
          code: 'joined',
          message: `${shown(previous.text)} was split at its comma by YAML; it was read as one pattern.`,
        });
    } else if (text !== '') {
      tokens.push({ text, balanced: isBalanced(text) });
      open = opens(text) ?? false;
    }
  }
  return tokens.filter((token) => isUsable(token, issues)).map((token) => token.text);
}

function isUsable(token: Token, issues: AllowedToolsIssue[]): boolean {
  if (token.balanced && !token.text.startsWith('(')) return token.text !== '';
  issues.push({ code: 'unbalanced', message: `${shown(token.text)} has parentheses that do not fit together.` });
  return false;
}

function isBalanced(text: string): boolean {
  if (!text.includes('(') && !text.includes(')')) return true;
  // Read behind a tool name, so that spaces before the first parenthesis of a list element end no
  // token.
  const open = text.indexOf('(');
  const close = text.indexOf(')');
  if (open === -1 || close < open) return false;
  let position = open;
  while (position < text.length) {
    if (text[position] === ')') return false;
    if (text[position] !== '(') {
      position += 1;
      continue;
    }
    const { token, end } = readToken(text, position, text.lastIndexOf(')'));
    if (!token.balanced) return false;
    position = end;
  }
  return true;
}

/** Whether its last parenthesis is an opening one; `undefined` without any. */
function opens(text: string): boolean | undefined {
  const [open, close] = [text.lastIndexOf('('), text.lastIndexOf(')')];
  return open === close ? undefined : open > close;
}

function shown(value: SkillFieldValue): string {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, maxShownCharacters) : value);
  const isCut = text.length > maxShownCharacters || (typeof value === 'string' && value.length > maxShownCharacters);
  return isCut ? `${text.slice(0, maxShownCharacters)}…` : text;
}

function distinct(patterns: readonly string[]): string[] {
  return [...new Set(patterns)];
}
