import { isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import type { AgentProblem, AgentProblemCode } from './agent-problem.ts';
import { offsetInScalar } from './offset-in-scalar.ts';
import { quote } from './hints.ts';

/** A path in the document: keys and indexes. */
export type DocumentPath = readonly (string | number)[];

/** What a problem is about: its place in the document. */
export interface ProblemPlace {
  readonly path: DocumentPath;
  /** Whether it points at the key instead of the value. */
  readonly key?: boolean | undefined;
  /** Offset in the text of a scalar. */
  readonly offset?: number | undefined;
}

/** A YAML file as plain data, with the position of each part. */
export interface AgentDocument {
  /** Plain data; maps have no prototype. `undefined` if the text cannot be read. */
  readonly value: unknown;
  /** All problems so far, from reading and from later checks. */
  readonly problems: AgentProblem[];
  /** Whether one of them is an error. */
  readonly hasErrors: boolean;
  /** Position of a place: `agent.yaml:3:5`. */
  locate(place: ProblemPlace): string;
  /** Adds a problem at a place. */
  report(code: AgentProblemCode, place: ProblemPlace | DocumentPath, message: string, fix?: string, severity?: 'error' | 'warning'): void;
}

/** Maximum number of characters of a file. */
export const maxDocumentCharacters: number = 128 * 1024;
const maxDepth = 32;
const maxNodes = 20_000;
const yamlFixes: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  MISSING_CHAR: 'Close the quote or the bracket. An expression with quotes in it stands in the other kind: \'"text"\'.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text with ": " in it into quotes.',
  BAD_INDENT: 'Close the brackets that are open, and give the lines of one list or map the same indentation.',
};
const maxProblems = 50;
const maxMessage = 500;

type Container = { [key: string]: unknown };

/**
 * Reads YAML 1.2 into plain data, with limits on size, depth and number of nodes. Aliases and tags
 * are rejected: people must be able to read an agent, and a few lines of aliases can expand to
 * gigabytes. It never throws.
 */
export function readAgentDocument(written: string, fileName: string): AgentDocument {
  const text = written.replace(/^\uFEFF/, '');
  const lines = new LineIndex(text.slice(0, maxDocumentCharacters));
  const problems: AgentProblem[] = [];
  let contents: Node | null = null;

  function reportAt(code: AgentProblemCode, offset: number, message: string, fix?: string, severity: 'error' | 'warning' = 'error'): void {
    if (problems.length >= maxProblems) return;
    const shown = message.slice(0, maxMessage);
    problems.push({ code, severity, message: shown, path: fileName, ...lines.place(offset), ...(fix !== undefined && { fix }) });
  }
  const finished = (value: unknown): AgentDocument => ({
    value: problems.length > 0 ? undefined : value,
    problems,
    get hasErrors() {
      return problems.some(({ severity }) => severity === 'error');
    },
    locate(place) {
      const { line, column } = lines.place(offsetOf(contents, place));
      return `${fileName}:${line}:${column}`;
    },
    report: (code, place, ...said) => reportAt(code, offsetOf(contents, 'path' in place ? place : { path: place }), ...said),
  });

  if (text.length > maxDocumentCharacters) {
    const size = `The file has ${text.length} characters; at most ${maxDocumentCharacters} are read.`;
    reportAt('agent-limit', 0, size, 'Move long texts into skills.');
    return finished(undefined);
  }
  const document = compose(text);
  if (document instanceof Error) {
    reportAt('agent-limit', 0, 'The file is nested too deeply.', `Use at most ${maxDepth} levels.`);
    return finished(undefined);
  }
  // One mistake makes the reader stumble again and again behind it.
  for (const { code, pos, message } of document.errors.slice(0, 1)) {
    if (code === 'MULTIPLE_DOCS') reportAt('agent-yaml', pos[0], 'A second document begins here.', 'Keep one: a file is one agent.');
    else reportAt('agent-yaml', pos[0], `This is not valid YAML: ${message.replace(/\.$/, '')}.`, yamlFixes[code]);
  }
  if (problems.length > 0) return finished(undefined);
  contents = document.contents;
  const reader = { left: maxNodes, reportAt };
  const value = convert(contents, reader, 1);
  if (reader.left < 0) reportAt('agent-limit', 0, `The file has more than ${maxNodes} values.`, 'Split it into several agents.');
  return finished(value);
}

function compose(text: string): Document.Parsed | RangeError {
  try {
    // The parser's check for duplicate keys takes quadratic time; ours does not.
    const document = parseDocument(text, { keepSourceTokens: true, prettyErrors: false, uniqueKeys: false, merge: false });
    // If the stack overflows inside the parser, it reports an error and continues.
    return document.errors.some(({ message }) => message.includes('call stack')) ? new RangeError('too deep') : document;
  } catch (error) {
    // The parser recurses with the nesting of the text until the stack overflows.
    if (error instanceof RangeError) return error;
    throw error;
  }
}

interface Reader {
  left: number;
  reportAt(code: AgentProblemCode, offset: number, message: string, fix?: string): void;
}

function convert(node: Node | null, reader: Reader, depth: number): unknown {
  if (node === null) return null;
  const offset = node.range?.[0] ?? 0;
  reader.left -= 1;
  if (reader.left < 0) return null;
  if (depth > maxDepth) {
    reader.reportAt('agent-limit', offset, `This is nested deeper than ${maxDepth} levels.`);
    return null;
  }
  if (node.tag !== undefined && !isMap(node) && !isSeq(node)) {
    reader.reportAt('agent-yaml', offset, `The tag ${quote(node.tag)} is not allowed.`, 'Write the value without it.');
    return null;
  }
  if (isScalar(node)) return node.value;
  if (isSeq<Node | null>(node)) return node.items.map((item) => convert(item, reader, depth + 1));
  if (isMap<Node | null, Node | null>(node)) return convertMap(node, reader, depth);
  reader.reportAt('agent-yaml', offset, 'Aliases (`*name`) are not allowed.', 'Write the value out.');
  return null;
}

function convertMap(map: YAMLMap<Node | null, Node | null>, reader: Reader, depth: number): Container {
  const value = Object.create(null) as Container;
  for (const pair of map.items) {
    const offset = pair.key?.range?.[0] ?? map.range?.[0] ?? 0;
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string') {
      reader.reportAt('agent-yaml', offset, 'A key has to be text.', 'Put it into quotes.');
      continue;
    }
    const key = pair.key.value;
    if (key in value) {
      reader.reportAt('agent-duplicate', offset, `The key ${quote(key)} stands here for the second time.`, 'Keep one of them.');
      continue;
    }
    value[key] = convert(pair.value, reader, depth + 1);
  }
  return value;
}

/** The offset of a place in the text. For something missing, the nearest existing parent. */
function offsetOf(contents: Node | null, { path, key: wantsKey = false, offset }: ProblemPlace): number {
  let node = contents;
  let pair: Pair<Node | null, Node | null> | undefined;
  for (const step of path) {
    if (isMap<Node | null, Node | null>(node)) {
      const found: Pair<Node | null, Node | null> | undefined = node.items.find((item) => isScalar(item.key) && item.key.value === step);
      if (found === undefined) return startOf(pair?.key ?? node);
      pair = found;
      node = found.value;
    } else {
      const item: Node | null | undefined = isSeq<Node | null>(node) && typeof step === 'number' ? node.items[step] : undefined;
      if (item === undefined || item === null) return startOf(node ?? pair?.key);
      pair = undefined;
      node = item;
    }
  }
  if (wantsKey) return startOf(pair?.key ?? node);
  if (offset !== undefined && isScalar(node)) return offsetInScalar(node, offset);
  return startOf(node ?? pair?.key);
}

function startOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0;
}

/** Offsets to lines and columns, from 1. The parser's own counter misses broken documents. */
class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  place(offset: number): { readonly line: number; readonly column: number } {
    const line = this.#starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}
