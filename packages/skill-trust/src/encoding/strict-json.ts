import { isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { show } from '../problem/refusal.ts';

/** Why a text was rejected. */
class StrictJsonError extends Error {}

/**
 * Parses JSON that all parsers read in the same way: valid UTF-8 without a byte order mark, no
 * duplicate keys, limited depth. Parsers disagree about duplicate keys, and the content that was
 * checked must be the content that is used. The caller limits the size.
 *
 * @param refuseFor gets the reason for anything else, and throws
 */
export function parseStrictJson(bytes: Uint8Array, maxDepth: number, refuseFor: (reason: string) => never): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuseFor('it is not UTF-8');
  }
  try {
    checkDepthAndKeys(text, maxDepth);
    return JSON.parse(text) as unknown;
  } catch (error) {
    return refuseFor(error instanceof StrictJsonError ? error.message : `it is not JSON (${(error as Error).message})`);
  }
}

/**
 * Returns the value if it is an object with no other fields: an ignored field could contain
 * anything.
 */
export function objectWith(value: unknown, keys: readonly string[], what: string, refuseFor: (reason: string) => never): JsonObject {
  if (!isJsonObject(value)) return refuseFor(`${what} is not a JSON object`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  return unknown === undefined ? value : refuseFor(`${what} has the unknown field ${show(unknown)}`);
}

/**
 * Checks depth and keys in one pass without recursion. `JSON.parse` checks the syntax afterwards.
 */
function checkDepthAndKeys(text: string, maxDepth: number): void {
  /** The keys of each open object; `null` for an open array. */
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (expectsKey && keys !== null && keys !== undefined) addKey(keys, text.slice(at, end + 1));
      expectsKey = false;
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      expectsKey = character === '{';
      if (open.length > maxDepth) throw new StrictJsonError(`it is nested deeper than ${maxDepth} levels`);
    } else if (character === '}' || character === ']') {
      open.pop();
      expectsKey = false;
    } else if (character === ',') {
      expectsKey = open.at(-1) instanceof Set;
    }
  }
}

/** The index of the closing quote. It jumps from quote to quote, so long strings cost little. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end === -1) throw new StrictJsonError('a string does not end');
  return end;
}

/** Whether an odd number of backslashes precedes the quote. Linear in total. */
function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function addKey(keys: Set<string>, literal: string): void {
  let key: unknown;
  try {
    // `"a"` and `"\u0061"` are the same key.
    key = JSON.parse(literal);
  } catch {
    throw new StrictJsonError('a key is not a JSON string');
  }
  if (typeof key !== 'string' || keys.has(key)) throw new StrictJsonError(`the key ${literal.slice(0, 80)} occurs twice`);
  keys.add(key);
}
