import type { SkillFieldValue } from '../contract/skill-provider.ts';
import { readPlainStart, type PlainStart } from './read-plain-fields.ts';
import type { YamlEntry, YamlIssue, YamlReading } from './yaml-reading.ts';
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Parser,
  Schema,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type ScalarTag,
  type YAMLMap,
} from '#yaml';

const maxDepth = 64;
// Text that aliases repeat counts each time, so that a few lines cannot grow to gigabytes.
const maxGrowth = 10;
const minBudget = 10_000;

interface Context {
  readonly text: string;
  readonly issues: YamlIssue[];
  readonly anchors: Map<string, Node>;
  readonly usedAnchors: Set<string>;
  /** Anchored nodes that are being read, to notice an alias to what it stands in. */
  readonly open: Set<Node>;
  budget: number;
  insideAlias: boolean;
}

class YamlLimitError extends Error {}

/**
 * Reads YAML into fields whose scalars are all text (the failsafe schema): `1.10`, `yes` and
 * `2026-01-01` stay what was written. Duplicate keys are resolved in favor of the first. Never
 * throws for any text; bounded in depth and in what aliases repeat.
 *
 * @param typedKeys keys of top-level fields whose values are also given with the types of YAML's
 *   core schema
 */
export function parseYaml(text: string, typedKeys: ReadonlySet<string>): YamlReading {
  const start = readPlainStart(text, typedKeys);
  if (start !== null && start.end >= text.length)
    return { status: 'mapping', entries: start.entries, issues: [...start.issues, ...start.late] };
  return (start === null ? null : parseBehind(start, text, typedKeys)) ?? parseByLibrary(text, typedKeys);
}

/** A field at the start of a line, read the same with and without the fields before it. */
const fieldStart = /^[A-Za-z_][\w.-]{0,99}:(?: |$)/m;

/** Parses only what follows the plain fields. `null` where earlier fields may matter. */
function parseBehind({ entries, issues, late, end }: PlainStart, text: string, typedKeys: ReadonlySet<string>): YamlReading | null {
  const rest = text.slice(end);
  if (late.length > 0 || rest.search(fieldStart) !== 0 || rest.includes('*')) return null;
  const reading = parseByLibrary(rest, typedKeys, new Set(entries.map(({ key }) => key)));
  if (reading.status === 'not-mapping' || reading.issues.some(({ code }) => code === 'yaml-limit')) return null;
  const moved = reading.issues.map((issue) => ({ ...issue, offset: issue.offset + end }));
  if (reading.status === 'invalid') return { ...reading, issues: moved, readFrom: end };
  const behind = reading.entries.map((entry) => ({ ...entry, offset: entry.offset + end }));
  return { status: 'mapping', entries: [...entries, ...behind], issues: [...issues, ...moved] };
}

/**
 * The same for any text, by the library alone.
 *
 * @param seen keys of fields before the text
 */
export function parseByLibrary(text: string, typedKeys: ReadonlySet<string>, seen: ReadonlySet<string> = new Set()): YamlReading {
  const document = compose(text);
  if (document instanceof RangeError)
    return { status: 'invalid', entries: [], issues: [{ code: 'yaml-limit', offset: 0, detail: 'it is nested too deeply' }] };
  if (document instanceof YamlSyntaxError)
    return { status: 'invalid', entries: [], issues: [{ code: 'yaml-invalid', offset: document.offset, detail: document.message }] };
  const { contents } = document;
  if (contents === null) return { status: 'mapping', entries: [], issues: [] };
  if (!isMap(contents)) return { status: 'not-mapping', entries: [], issues: [] };

  const context: Context = {
    text,
    issues: [],
    anchors: new Map(),
    usedAnchors: new Set(),
    open: new Set(),
    budget: Math.max(minBudget, text.length * maxGrowth),
    insideAlias: false,
  };
  try {
    return { status: 'mapping', entries: entriesOf(contents, context, typedKeys, new Set(seen)), issues: context.issues };
  } catch (limit) {
    if (!(limit instanceof YamlLimitError)) throw limit;
    return { status: 'invalid', entries: [], issues: [{ code: 'yaml-limit', offset: 0, detail: limit.message }] };
  }
}

function compose(text: string): Document.Parsed | RangeError | YamlSyntaxError {
  try {
    return composeUntilError(text);
  } catch (error) {
    // The parser goes down with the nesting of the text, and thousands of "- - -" end the stack.
    if (error instanceof RangeError || error instanceof YamlSyntaxError) return error;
    throw error;
  }
}

function entriesOf(map: YAMLMap, context: Context, typedKeys: ReadonlySet<string>, seen: Set<string>): YamlEntry[] {
  notice(map, context);
  const entries: YamlEntry[] = [];
  const nodes: (Node | null)[] = [];
  for (const pair of map.items as Pair<Node | null, Node | null>[]) {
    const key = keyOf(pair.key, context);
    const offset = pair.key?.range?.[0] ?? 0;
    const value = convert(pair.value, context, 1) as SkillFieldValue;
    if (seen.has(key)) {
      context.issues.push({ code: 'duplicate-key', offset, detail: key });
      continue;
    }
    seen.add(key);
    nodes.push(pair.value);
    const entry = { key, value, offset, written: writtenValue(pair, context.text), comment: commentOf(pair.value, context.text) };
    entries.push(typedKeys.has(key) ? { ...entry, typed: convert(pair.value, context, 1, true) } : entry);
  }
  return entries.map((entry, index) => asWritten(entry, nodes[index] ?? null, context));
}

/** An anchor that nothing repeats, or an unknown tag, was meant as text: `&Co`, `!important`. */
function asWritten(entry: YamlEntry, node: Node | null, context: Context): YamlEntry {
  if (!isScalar(node)) return entry;
  const isOwnTag = node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:');
  const isUnusedAnchor = node.anchor !== undefined && !context.usedAnchors.has(node.anchor);
  if (!isOwnTag && !isUnusedAnchor) return entry;
  context.issues.push({ code: isOwnTag ? 'yaml-tag' : 'yaml-anchor', offset: entry.offset, detail: entry.written });
  return { ...entry, value: entry.written };
}

/** @param typed whether values have the types of YAML's core schema; else all are text */
function convert(node: Node | null, context: Context, depth: number, typed = false): unknown {
  if (node === null) return typed ? null : '';
  if (depth > maxDepth) throw new YamlLimitError(`it is nested deeper than ${maxDepth} levels`);
  context.budget -= 1;
  const read = (item: Node | null) => convert(item, context, depth + 1, typed);
  if (isAlias(node)) return throughAlias(node.source, node, context, read);
  // Each node is read as text, too, where it is noticed.
  if (!typed) notice(node, context);
  if (isScalar(node)) {
    const text = textOf(node);
    context.budget -= text.length;
    if (context.budget < 0) throw new YamlLimitError('its aliases repeat too much');
    return typed && node.type === 'PLAIN' && node.tag === undefined ? coreScalar(text) : text;
  }
  context.open.add(node);
  const value = isSeq<Node | null>(node) ? node.items.map(read) : mapOf(node as YAMLMap<Node | null, Node | null>, context, read);
  context.open.delete(node);
  return value;
}

function mapOf(map: YAMLMap<Node | null, Node | null>, context: Context, read: (node: Node | null) => unknown): Record<string, unknown> {
  const record = Object.create(null) as Record<string, unknown>;
  for (const pair of map.items) {
    const key = keyOf(pair.key, context);
    if (key in record) {
      if (!context.insideAlias) context.issues.push({ code: 'duplicate-key', offset: pair.key?.range?.[0] ?? 0, detail: key });
      continue;
    }
    context.budget -= key.length;
    record[key] = read(pair.value);
  }
  return record;
}

function throughAlias(name: string, node: Node, context: Context, read: (target: Node) => unknown): unknown {
  const target = context.anchors.get(name);
  const offset = node.range?.[0] ?? 0;
  if (target === undefined || context.open.has(target)) {
    if (!context.insideAlias) context.issues.push({ code: 'yaml-unresolved-alias', offset, detail: `*${name}` });
    return `*${name}`;
  }
  context.usedAnchors.add(name);
  if (!context.insideAlias) context.issues.push({ code: 'yaml-anchor', offset, detail: `*${name}`, harmless: true });
  const outer = context.insideAlias;
  context.insideAlias = true;
  const value = read(target);
  context.insideAlias = outer;
  return value;
}

/** Remembers an anchor, and reports what the strict profile refuses. */
function notice(node: Node, context: Context): void {
  if (context.insideAlias || isAlias(node)) return;
  const { anchor } = node as Scalar;
  const offset = node.range?.[0] ?? 0;
  if (anchor !== undefined) {
    context.anchors.set(anchor, node);
    context.issues.push({ code: 'yaml-anchor', offset, detail: `&${anchor}`, harmless: true });
  }
  if (node.tag !== undefined) context.issues.push({ code: 'yaml-tag', offset, detail: node.tag, harmless: true });
  if ((isMap(node) || isSeq(node)) && node.flow === true) {
    const [start, end] = node.range ?? [0, 0];
    context.issues.push({ code: 'yaml-flow-style', offset, detail: context.text.slice(start, end), harmless: true });
  }
}

function keyOf(key: Node | null, context: Context): string {
  if (isScalar(key)) return textOf(key);
  const [start, end] = key?.range ?? [0, 0];
  return context.text.slice(start, end);
}

function textOf(scalar: Scalar): string {
  return typeof scalar.value === 'string' ? scalar.value : String(scalar.value ?? '');
}

function writtenValue(pair: Pair<Node | null, Node | null>, text: string): string {
  const keyEnd = pair.key?.range?.[1] ?? 0;
  const valueEnd = pair.value?.range?.[1] ?? keyEnd;
  return text.slice(keyEnd, valueEnd).replace(/^\s*:/, '').trim();
}

function commentOf(value: Node | null, text: string): string | undefined {
  if (!isScalar(value) || value.type !== 'PLAIN') return undefined;
  const end = value.range?.[1] ?? text.length;
  const rest = /[ \t]*(#.*)?/y;
  rest.lastIndex = end;
  return rest.exec(text)?.[1];
}

let coreTags: ScalarTag[] | undefined;

function coreScalar(source: string): unknown {
  coreTags ??= new Schema({ schema: 'core' }).tags.filter(
    (tag): tag is ScalarTag => !('collection' in tag && tag.collection !== undefined) && 'test' in tag && tag.test !== undefined,
  );
  const resolved = coreTags.find((tag) => tag.default === true && tag.test?.test(source) === true)?.resolve(source, () => undefined, {});
  const value = isScalar(resolved) ? resolved.value : resolved;
  // Infinity and NaN do not survive JSON, which is what steps are stored as.
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? source : value;
}

/** What is wrong with a text, and where. */
class YamlSyntaxError {
  readonly message: string;
  readonly offset: number;

  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

type Place = number | readonly [number, number] | { readonly offset: number };

/** Kept, as the library makes one for each document otherwise. */
let schema: Schema | undefined;

/**
 * The one document of a text. It ends at the first error: the library goes on and makes an error
 * object for each, with a stack, and a text of a few hundred quotes or lines has hundreds of them.
 *
 * @throws {YamlSyntaxError} for the first thing that is wrong
 */
function composeUntilError(text: string): Document.Parsed {
  // Duplicates are looked for by the caller, as the library's own check is quadratic.
  schema ??= new Schema({ schema: 'failsafe' });
  const composer = new Composer({ schema, prettyErrors: false, uniqueKeys: false });
  let first: Document.Parsed | undefined;
  let wrong: YamlSyntaxError | undefined;
  const onError = (place: Place, _code: string, message: string, warning?: boolean): void => {
    if (warning === true) return;
    // The library catches errors in a collection and reports them again for all of it.
    wrong ??= first === undefined ? new YamlSyntaxError(message, offsetOf(place)) : severalDocuments(offsetOf(place));
    // oxlint-disable-next-line typescript/only-throw-error -- an Error would collect a stack, which is most of the work
    throw wrong;
  };
  // The library has no option for it.
  Object.assign(composer, { onError });
  for (const document of composer.compose(new Parser().parse(text), true, text.length)) {
    // oxlint-disable-next-line typescript/only-throw-error -- as above
    if (first !== undefined) throw severalDocuments(document.range[0]);
    first = document;
  }
  // With `forceDoc` above, there is one for the empty text, too.
  return first as Document.Parsed;
}

function offsetOf(place: Place): number {
  if (typeof place === 'number') return place;
  return 'offset' in place ? place.offset : place[0];
}

function severalDocuments(offset: number): YamlSyntaxError {
  return new YamlSyntaxError('Source contains multiple documents; please use YAML.parseAllDocuments()', offset);
}
