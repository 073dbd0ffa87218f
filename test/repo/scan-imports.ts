import { parseSync, Visitor } from 'oxc-parser';

/** One import of a module, of whatever kind: static, type-only, re-export, dynamic, or `import('x').T`. */
export interface ScannedImport {
  /** What is imported, as written. `null` where it is computed. */
  readonly specifier: string | null;
  /** From 1. */
  readonly line: number;
  /** Whether it is `export * from`. */
  readonly everything: boolean;
}

/**
 * Every import of a TypeScript module, in order.
 *
 * @throws {Error} where the module does not parse
 */
export function scanImports(path: string, text: string): ScannedImport[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors.map(({ message }) => message).join('; ')}`);

  const found: { specifier: string | null; start: number; everything: boolean }[] = [];
  const add = (source: unknown, start: number, everything = false): void => {
    found.push({ specifier: literalValue(source), start, everything });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.start),
    ExportAllDeclaration: (node) => add(node.source, node.start, true),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source, node.start);
    },
    ImportExpression: (node) => add(node.source, node.start),
    TSImportType: (node) => add(node.source, node.start),
    TSExternalModuleReference: (node) => add(node.expression, node.start),
  }).visit(program);
  return found.map(({ specifier, start, everything }) => ({ specifier, everything, line: text.slice(0, start).split('\n').length }));
}

function literalValue(node: unknown): string | null {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string' ? node.value : null;
}
