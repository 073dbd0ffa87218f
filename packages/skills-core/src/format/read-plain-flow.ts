import type { SkillFieldValue } from '../contract/skill-provider.ts';
import { readScalar, textBehind } from './read-plain-scalar.ts';
import type { YamlIssue } from './yaml-reading.ts';

const lineFeed = 0x0a;
const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/** Deeper than any that a person wrote. */
const mostLevels = 16;

const item = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s?:,[\]{}#&*!|>'"%@`-][^,[\]{}\n]*/y;
const key = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[A-Za-z_][\w.-]{0,99}/y;

interface Flow {
  readonly text: string;
  /** Where the reader stands. */
  at: number;
  /** Lines of it have to lie deeper than what it belongs to. */
  readonly parentIndent: number;
  /** What the strict profile refuses, from the outside to the inside. */
  readonly issues: YamlIssue[];
}

/**
 * Reads a list or map in brackets, as JSON has them: with texts that are plain or quoted, on one
 * line or on several.
 *
 * @param start where it opens
 * @returns its value and where it ends; `null` where only a YAML parser can tell
 */
export function readPlainFlow(
  text: string,
  start: number,
  parentIndent: number,
  issues: YamlIssue[],
): { readonly value: SkillFieldValue; readonly end: number } | null {
  const flow: Flow = { text, at: start, parentIndent, issues };
  const value = readCollection(flow, 0);
  return value === null ? null : { value, end: flow.at };
}

function readCollection(flow: Flow, level: number): SkillFieldValue | null {
  const { text, at: start, issues } = flow;
  if (level === mostLevels) return null;
  const place = issues.push({ code: 'yaml-flow-style', offset: start, detail: '', harmless: true }) - 1;
  const map = text.charCodeAt(start) === openBrace ? (Object.create(null) as Record<string, SkillFieldValue>) : null;
  const list: SkillFieldValue[] = [];
  const close = map === null ? closeBracket : closeBrace;
  flow.at += 1;
  while (skipBlanks(flow, level)) {
    if (text.charCodeAt(flow.at) === close) {
      flow.at += 1;
      issues[place] = { code: 'yaml-flow-style', offset: start, detail: text.slice(start, flow.at), harmless: true };
      return map ?? list;
    }
    const name = map === null ? '' : readKey(flow);
    if (name === null || (map !== null && (name in map || !skipBlanks(flow, level)))) return null;
    const value = readItem(flow, level);
    if (value === null || !skipBlanks(flow, level)) return null;
    if (map === null) list.push(value);
    else map[name] = value;
    const mark = text.charCodeAt(flow.at);
    if (mark === comma) flow.at += 1;
    else if (mark !== close) return null;
  }
  return null;
}

/** A key and the colon behind it. Only behind quotes may the value follow at once. */
function readKey(flow: Flow): string | null {
  const { text } = flow;
  key.lastIndex = flow.at;
  const written = key.exec(text)?.[0];
  if (written === undefined) return null;
  const end = flow.at + written.length;
  const next = text.charCodeAt(end + 1);
  const isQuoted = written.startsWith('"') || written.startsWith("'");
  if (text.charCodeAt(end) !== colon || !(isQuoted || next === space || next === lineFeed)) return null;
  flow.at = end + 1;
  return readScalar(written);
}

function readItem(flow: Flow, level: number): SkillFieldValue | null {
  const { text } = flow;
  const mark = text.charCodeAt(flow.at);
  if (mark === openBrace || mark === openBracket) return readCollection(flow, level + 1);
  item.lastIndex = flow.at;
  const written = item.exec(text)?.[0];
  if (written === undefined) return null;
  flow.at += written.length;
  return readScalar(textBehind(written, 0));
}

/** Skips spaces and line ends. Returns whether what follows belongs to the collection. */
function skipBlanks(flow: Flow, level: number): boolean {
  const { text, parentIndent } = flow;
  let at = flow.at;
  let lineStart = -1;
  for (; ; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === lineFeed) lineStart = at + 1;
    else if (unit !== space) break;
  }
  flow.at = at;
  if (lineStart === -1 || at - lineStart > parentIndent) return true;
  // The outermost bracket may be closed below the key that it belongs to.
  const mark = text.charCodeAt(at);
  return level === 0 && at - lineStart === parentIndent && (mark === closeBrace || mark === closeBracket);
}
