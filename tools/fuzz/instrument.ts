import { build } from 'esbuild';
import { MagicString } from 'magic-string';
import { parseSync, Visitor, type Expression, type Statement } from 'oxc-parser';
import { repositoryRoot } from '../workspace.ts';

/** A module in which every branch counts how often it was taken, in `globalThis.fuzzCounters`. */
export interface InstrumentedModule {
  readonly code: string;
  /** How many branches there are. */
  readonly branches: number;
}

/** What is too large to count in, and reads nothing of strangers. It is resolved from where the module is run. */
const external = ['@langchain/*', 'langchain', 'zod', 'zod/*'];
const banner = "import { createRequire as fuzzRequire } from 'node:module'; const require = fuzzRequire(import.meta.url);";

/** Bundles a module with the sources of the packages and with what they depend on, and adds the counters. */
export async function instrument(entry: string): Promise<InstrumentedModule> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: repositoryRoot,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: ['@repertoire/source', 'node', 'import'],
    external,
    logLevel: 'error',
  });
  const source = outputFiles[0]?.text ?? '';
  const out = new MagicString(source);
  let branches = 0;
  const tick = (): string => {
    branches += 1;
    return `fuzzCounters[${branches - 1}]++`;
  };
  const inStatement = (node: Statement | null): void => {
    if (node === null || node.type === 'BlockStatement') return;
    out.appendLeft(node.start, `{${tick()};`);
    out.prependRight(node.end, '}');
  };
  const inValue = (node: Expression): void => {
    out.appendLeft(node.start, `(${tick()},`);
    out.prependRight(node.end, ')');
  };
  new Visitor({
    BlockStatement: (node) => void out.appendLeft(node.start + 1, `${tick()};`),
    IfStatement: (node) => {
      inStatement(node.consequent);
      inStatement(node.alternate);
    },
    SwitchCase: (node) => {
      const [first] = node.consequent;
      if (first !== undefined) out.appendLeft(first.start, `${tick()};`);
    },
    ConditionalExpression: (node) => {
      inValue(node.consequent);
      inValue(node.alternate);
    },
    LogicalExpression: (node) => inValue(node.right),
  }).visit(parseSync('bundle.mjs', source).program);
  return { code: `${banner}\nconst fuzzCounters = globalThis.fuzzCounters;\n${out.toString()}`, branches };
}
