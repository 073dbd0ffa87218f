import { parseSync, Visitor, type Argument } from 'oxc-parser';

/** One small change of a file, by its code and not by its meaning. */
export interface StructureMutant {
  /** What is changed: `comparison`, `condition`. */
  readonly kind: string;
  /** The part of the text that is replaced. */
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** What stands between two operands, and what comes in its place. */
const operators: Readonly<Record<string, readonly [kind: string, ...to: string[]]>> = {
  '<': ['comparison', '<=', '>='],
  '<=': ['comparison', '<', '>'],
  '>': ['comparison', '>=', '<='],
  '>=': ['comparison', '>', '<'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '??': ['logic', '&&'],
  '+=': ['assignment', '-='],
  '-=': ['assignment', '+='],
};

/** Methods that take another's place. */
const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
};

/** Methods whose call is left out: `list.filter(f)` becomes `list`. */
const removable: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'toReversed',
  'reverse',
  'trim',
  'trimEnd',
  'normalize',
]);

/** Calls and properties whose texts are messages for people. Their words are no promise. */
const messageKeys: ReadonlySet<string> = new Set(['message', 'description']);
const messageCalls = /^(?:\w*Error|message\w*|\w+Message|warn\w*|describe\w*)$/;

/**
 * The mutants of a TypeScript module, in the order of their places: operators, conditions, literals, calls and statements, as mutation
 * testing tools change them. Types, imports and the words of messages are left as they are.
 */
export function structureMutants(path: string, text: string): StructureMutant[] {
  const found: StructureMutant[] = [];
  const add = (kind: string, { start, end }: { readonly start: number; readonly end: number }, to: string): void => {
    if (text.slice(start, end) !== to) found.push({ kind, start, end, to });
  };
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }): string => text.slice(start, end);
  const between = (left: { readonly end: number }, right: { readonly start: number }, operator: string): { start: number; end: number } => {
    const start = text.indexOf(operator, left.end);
    return start < 0 || start > right.start ? { start: left.end, end: left.end } : { start, end: start + operator.length };
  };
  const operator = (node: { readonly operator: string; readonly left: Span; readonly right: Span }): void => {
    const [kind, ...replacements] = operators[node.operator] ?? [];
    const place = between(node.left, node.right, node.operator);
    if (kind === undefined || place.start === place.end) return;
    for (const to of replacements) add(kind, place, to);
  };
  const condition = (test: Span): void => {
    add('condition', test, 'true');
    add('condition', test, 'false');
  };

  /** Spans of types, imports and messages, in which nothing is changed. */
  const untouched: Span[] = [];
  const leave = (node: Span): void => void untouched.push({ start: node.start, end: node.end });

  new Visitor({
    ImportDeclaration: leave,
    ExportAllDeclaration: leave,
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) leave(node);
    },
    ImportExpression: leave,
    TSTypeAliasDeclaration: leave,
    TSInterfaceDeclaration: leave,
    TSTypeAnnotation: leave,
    TSTypeParameterInstantiation: leave,
    TSTypeParameterDeclaration: leave,
    TSAsExpression: (node) => leave(node.typeAnnotation),
    TSSatisfiesExpression: (node) => leave(node.typeAnnotation),
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && messageCalls.test(node.callee.name))
        for (const argument of node.arguments) leaveTexts(argument);
    },
    ThrowStatement: (node) => leaveTexts(node.argument),
    Property: (node) => {
      if (node.key.type === 'Identifier' && messageKeys.has(node.key.name)) leave(node.value);
    },
    BinaryExpression: (node) => {
      const joinsTexts = node.operator === '+' && [node.left, node.right].some(isText);
      if (!joinsTexts) operator(node);
    },
    LogicalExpression: (node) => operator(node),
    AssignmentExpression: (node) => {
      if (!isText(node.right)) operator(node);
    },
    IfStatement: (node) => condition(node.test),
    ConditionalExpression: (node) => condition(node.test),
    WhileStatement: (node) => add('condition', node.test, 'false'),
    ForStatement: (node) => node.test !== null && add('condition', node.test, 'false'),
    UnaryExpression: (node) => {
      if (node.operator === '!') add('negation', node, textOf(node.argument));
      if (node.operator === '-') add('negation', node, textOf(node.argument));
    },
    UpdateExpression: (node) => add('assignment', node, textOf(node).replace('++', '\0').replace('--', '++').replace('\0', '--')),
    Literal: (node) => {
      if (typeof node.value === 'boolean') add('literal', node, String(!node.value));
      if (typeof node.value === 'string') add('literal', node, node.value === '' ? "'mutant'" : "''");
    },
    ArrayExpression: (node) => {
      if (node.elements.length > 0) add('literal', node, '[]');
    },
    ObjectExpression: (node) => {
      if (node.properties.length > 0) add('literal', node, '({})');
    },
    MemberExpression: (node) => {
      if (node.optional) add('chain', between(node.object, node.property, '?.'), node.computed ? '' : '.');
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type === 'Identifier' && messageCalls.test(callee.name)) for (const argument of node.arguments) leaveTexts(argument);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (other !== undefined) add('method', callee.property, other);
      if (removable.has(name)) add('method', node, textOf(callee.object));
    },
    ExpressionStatement: (node) => {
      const { type } = node.expression;
      if (type === 'CallExpression' || type === 'AwaitExpression') add('statement', node, ';');
    },
    ReturnStatement: (node) => {
      if (node.argument === null) add('statement', node, ';');
    },
    BreakStatement: (node) => add('statement', node, ';'),
  }).visit(parseSync(path, text).program);

  return found
    .filter(({ start, end }) => !untouched.some((span) => span.start <= start && end <= span.end))
    .toSorted((one, other) => one.start - other.start || one.end - other.end || (one.to < other.to ? -1 : 1));

  /** Leaves the texts of a message as they are, not the codes and names beside it: a message is a template, or has a blank. */
  function leaveTexts(node: Argument): void {
    if (node.type === 'TemplateLiteral' || (isText(node) && textOf(node).includes(' '))) leave(node);
    if (node.type === 'NewExpression' || node.type === 'CallExpression') for (const argument of node.arguments) leaveTexts(argument);
    if (node.type === 'BinaryExpression' && isText(node.left)) leave(node);
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function isText(node: { readonly type: string; readonly value?: unknown }): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
