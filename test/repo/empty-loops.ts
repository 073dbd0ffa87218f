import { parseSync, Visitor, type Expression, type Node } from 'oxc-parser';

/**
 * Loops over what may be empty, in which all assertions of a test stand: such a test would pass
 * with nothing tried.
 */
export function emptyLoops(path: string, text: string): string[] {
  const { program } = parseSync(path, text);
  const filled = new Set<string>();
  const tests: { readonly start: number; readonly end: number; readonly line: number }[] = [];
  const loops: { readonly start: number; readonly end: number; readonly over: string; readonly isFilled: boolean }[] = [];
  const asserted: number[] = [];
  const isFilled = (node: Expression | Node | null | undefined): boolean => {
    if (node === null || node === undefined) return false;
    if (node.type === 'ArrayExpression')
      return node.elements.some((element) => element !== null && (element.type !== 'SpreadElement' || isFilled(element.argument)));
    if (node.type === 'ObjectExpression') return node.properties.length > 0;
    if (node.type === 'Identifier') return filled.has(node.name);
    if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' || node.type === 'AwaitExpression')
      return isFilled(node.type === 'AwaitExpression' ? node.argument : node.expression);
    if (node.type === 'NewExpression') return isFilled(node.arguments[0]);
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier')
      return false;
    const { name } = node.callee.property;
    if (['entries', 'keys', 'values', 'from', 'freeze', 'all', 'fromEntries', 'of'].includes(name) && isFilled(node.arguments[0]))
      return true;
    return (
      ['map', 'entries', 'keys', 'values', 'toSorted', 'toReversed', 'concat', 'split'].includes(name) &&
      (name === 'split' || isFilled(node.callee.object))
    );
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && isFilled(init)) filled.add(id.name);
    },
  }).visit(program);
  new Visitor({
    ForOfStatement: (node) =>
      void loops.push({
        start: node.start,
        end: node.end,
        over: text.slice(node.right.start, node.right.end),
        isFilled: isFilled(node.right),
      }),
    CallExpression: (node) => {
      const callee = text.slice(node.callee.start, node.callee.end);
      if (/^(?:it|test)\b/.test(callee))
        tests.push({ start: node.start, end: node.end, line: text.slice(0, node.start).split('\n').length });
      if (/^(?:expect|assert\w*|fc\.assert)$/.test(callee)) asserted.push(node.start);
      // What is asserted elsewhere counts as an assertion.
      else if (/^(?:expect|assert|check|refuse)\w*$/.test(callee)) asserted.push(node.start);
    },
  }).visit(program);
  return tests.flatMap(({ start, end, line }) => {
    const own = asserted.filter((at) => start < at && at < end);
    const around = own.map((at) => loops.filter((loop) => start < loop.start && loop.start < at && at < loop.end && !loop.isFilled));
    if (own.length === 0 || around.some((found) => found.length === 0)) return [];
    return [`${path}:${line} ${around[0]?.[0]?.over.slice(0, 60).replace(/\s+/g, ' ') ?? ''}`];
  });
}
