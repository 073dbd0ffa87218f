import type { ASTNode } from '@marcbachmann/cel-js';
import { meterFunctions } from './expression-environment.ts';

/** A source with meter calls inserted, and the mapping back to the original. */
export interface MeteredSource {
  readonly text: string;
  /** Maps an offset in `text` to the offset in the original. */
  originalOffset(offset: number): number;
}

interface Insertion {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const { left, none, weigh, weighText, separator } = meterFunctions;
const predicates: ReadonlySet<string> = new Set(['filter', 'all', 'exists_one']);

/**
 * Inserts meter calls into an expression. Each loop asks before each step; operations that create,
 * compare or search values pay for their size. This needs only the library's public API, since
 * nodes have positions.
 */
export function meteredSource(source: string, ast: ASTNode): MeteredSource {
  const insertions: Insertion[] = [];
  for (const node of nodesOf(ast)) insertions.push(...insertionsOf(node));
  const marks = insertions.flatMap(({ start, end, before, after }, index) => [
    { at: start, closes: false, text: before, length: end - start, index },
    { at: end, closes: true, text: after, length: end - start, index },
  ]);
  // At the same offset, inner marks close first and open last.
  marks.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if (a.closes !== b.closes) return a.closes ? -1 : 1;
    const inner = a.length - b.length || b.index - a.index;
    return a.closes ? inner : -inner;
  });

  let text = '';
  let from = 0;
  const inserted: { readonly at: number; readonly length: number }[] = [];
  for (const mark of marks) {
    text += source.slice(from, mark.at);
    inserted.push({ at: text.length, length: mark.text.length });
    text += mark.text;
    from = mark.at;
  }
  text += source.slice(from);

  return {
    text,
    originalOffset(offset) {
      const added = inserted.reduce((sum, { at, length }) => sum + Math.min(length, Math.max(0, offset - at)), 0);
      return offset - added;
    },
  };
}

/** All nodes of a tree, parents first. */
export function* nodesOf(value: unknown): Generator<ASTNode> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
    return;
  }
  if (!('op' in value) || typeof value.op !== 'string') return;
  const node = value as ASTNode;
  yield node;
  yield* nodesOf(node.args);
}

function insertionsOf(node: ASTNode): Insertion[] {
  switch (node.op) {
    case '+':
      return [around(node, `${weigh}(`, ')')];
    case '==':
    case '!=':
    case 'in':
      return node.args.map((operand) => around(operand, `${weigh}(`, ')'));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return node.args.map((operand) => around(operand, `${weighText}(`, ')'));
    case 'call': {
      const [name, parameters] = node.args;
      // `has` depends on how its argument is written.
      if (name === 'has') return [];
      return parameters.map((parameter) => around(parameter, `${name === 'size' ? weighText : weigh}(`, ')'));
    }
    case 'rcall': {
      const [name, receiver, parameters] = node.args;
      // The first parameter is the name of the variable.
      const [, ...bodies] = parameters;
      if (predicates.has(name)) return bodies.map((body) => around(body, `${left}() && (`, ')'));
      if (name === 'exists') return bodies.map((body) => around(body, `!${left}() || (`, ')'));
      if (name === 'map') {
        // If there are two bodies, the first one filters.
        return bodies.map((body, index) =>
          index === bodies.length - 1 ? around(body, `${left}() ? (`, `) : ${none}()`) : around(body, `${left}() && (`, ')'),
        );
      }
      if (name === 'size') return [around(receiver, `${weighText}(`, ')')];
      const operands = [receiver, ...parameters].map((operand) => around(operand, `${weigh}(`, ')'));
      // These functions create more than their input.
      if (name === 'split') return [around(node, `${weigh}(`, ')'), ...operands];
      if (name === 'join')
        return [around(node, `${weigh}(`, ')'), ...operands, ...parameters.map((part) => around(part, `${separator}(`, ')'))];
      return operands;
    }
    default:
      return [];
  }
}

function around({ range: { start, end } }: ASTNode, before: string, after: string): Insertion {
  return { start, end, before, after };
}
