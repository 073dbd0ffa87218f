import { parseSync, Visitor, type Argument } from 'oxc-parser';

/** A regular expression as it stands in a file: a literal, or a `RegExp` that is made of one text. */
export interface WrittenPattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
  /** What a comment `// recheck: …` right above says. */
  readonly reason: string | undefined;
}

const reasonPattern = /^\s*\/\/ recheck: (\S.*)$/;

/** Every regular expression of a file whose text is known. What `RegExp` puts together of other texts is not among them. */
export function patternsOf(file: string, text: string): WrittenPattern[] {
  const lines = text.split('\n');
  const patterns: WrittenPattern[] = [];
  const add = (start: number, source: string, flags: string): void => {
    const line = text.slice(0, start).split('\n').length;
    const reason = reasonPattern.exec(lines[line - 2] ?? '')?.[1];
    patterns.push({ file, line, source, flags, reason });
  };
  const constructed = (start: number, callee: unknown, [source, flags]: readonly Argument[]): void => {
    const isRegExp = typeof callee === 'object' && callee !== null && 'name' in callee && callee.name === 'RegExp';
    const written = textOf(source);
    if (isRegExp && written !== undefined) add(start, written, textOf(flags) ?? '');
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: (node) => constructed(node.start, node.callee, node.arguments),
    CallExpression: (node) => constructed(node.start, node.callee, node.arguments),
  }).visit(parseSync(file, text).program);
  return patterns;
}

function textOf(node: Argument | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}
