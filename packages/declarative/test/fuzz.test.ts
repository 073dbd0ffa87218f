import { readFileSync } from 'node:fs';
import { agentGraph, checkAgent } from '@repertoire/declarative';
import { agentProblemCodes } from '../src/document/agent-problem.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseDocument, stringify, visit } from 'yaml';
import { propertyRuns } from '../../../test/support/property-runs.ts';

const support = readFileSync(new URL('./agents/support.agent.yaml', import.meta.url), 'utf8');
const settings = { seed: 20261121 };

/** What holds for every text: no throw, known codes, places that are in the text, words that can be read; and where there is no error, a graph. */
async function expectOrderly(text: string): Promise<void> {
  const { ok, problems } = await checkAgent(text);
  expect(ok).toBe(problems.every(({ severity }) => severity !== 'error'));
  // What is right can be built.
  if (ok) expect(await agentGraph(text)).toContain('graph TD;');
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const { code, line, column, message, fix = '' } of problems) {
    expect(Object.keys(agentProblemCodes)).toContain(code);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column - 1).toBeLessThanOrEqual((lines[line - 1] ?? '').length);
    expect(message.length).toBeLessThan(700);
    expect(fix.length).toBeLessThan(1500);
    expect(message + fix).not.toMatch(/undefined|\[object|NaN/);
  }
}

describe('any text', () => {
  it('DEC-1: letters that mean something to YAML and CEL', async () => {
    const piece = fc.constantFrom(
      'nodes:',
      'name',
      'type: call_llm',
      'args:',
      ' ',
      '  ',
      '\n',
      '\n  - ',
      ': ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '|',
      '>',
      '&a',
      '*a',
      '!t',
      '#',
      '%',
      '---',
      '? ',
      ',',
      'state.messages',
      '\t',
      '\r\n',
      '\u0000',
      'é',
      '\u{1F600}',
      '\uFEFF',
      '<<: ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), (pieces) => expectOrderly(pieces.join(''))),
      { ...settings, numRuns: propertyRuns(800) },
    );
  });

  it('DEC-1: a good file with characters lost, doubled or put in', async () => {
    const edit = fc.tuple(
      fc.nat(support.length),
      fc.nat(12),
      fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom(' ', '\n', ':', '"', "'", '- ', '{', ']', '  ')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) =>
        expectOrderly(edits.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), support)),
      ),
      { ...settings, numRuns: propertyRuns(200) },
    );
  });

  it('DEC-1: a good file with a value of another kind in the place of each', async () => {
    const values: readonly unknown[] = [
      null,
      true,
      0,
      -1.5,
      1e300,
      '',
      'x',
      '__proto__',
      'constructor',
      [],
      [[]],
      {},
      { id: 'x' },
      { a: { b: 1 } },
    ];
    const file = parse(support) as unknown;
    const places: (readonly (string | number)[])[] = [];
    const walk = (value: unknown, path: readonly (string | number)[]): void => {
      if (path.length > 0) places.push(path);
      if (Array.isArray(value)) value.forEach((item, index) => walk(item, [...path, index]));
      else if (typeof value === 'object' && value !== null) for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
    };
    walk(file, []);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...values), async (path, value) => {
        const document = parseDocument(support);
        document.setIn(path, document.createNode(value));
        await expectOrderly(document.toString());
      }),
      { ...settings, numRuns: propertyRuns(250) },
    );
  });
});

describe('any expression', () => {
  const expressionOf = (text: string): string =>
    stringify({
      state: { out: { type: 'any' }, m: { type: 'map' } },
      nodes: [{ name: 'a', type: 'set_state', args: { state_updates: { out: text } } }],
    });

  it('DEC-1: tokens of CEL in any order', async () => {
    const token = fc.constantFrom(
      'state',
      '.',
      'messages',
      'm',
      '[',
      ']',
      '(',
      ')',
      '0',
      '1.5',
      '"a"',
      "'",
      '+',
      '-',
      '==',
      '&&',
      '||',
      '!',
      '?',
      ':',
      'in',
      'size',
      'map',
      'all',
      'has',
      'a',
      ',',
      '{',
      '}',
      ' ',
      'template',
      'json',
      'string',
      'prompts',
      'skills',
      'r"',
      'b"',
      '"""',
      '\\',
      '%',
      'null',
      'true',
      '__x',
      'matches',
      'cel.bind',
      '\u{1F600}',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 25 }), (tokens) => expectOrderly(expressionOf(tokens.join('')))),
      { ...settings, numRuns: propertyRuns(1000) },
    );
  });
});

it('DEC-1: the style of YAML does not matter: each scalar in another style is the same agent', async () => {
  const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...styles), fc.boolean(), fc.constantFrom(0, 40, 80), async (style, flow, lineWidth) => {
      const document = parseDocument(support);
      visit(document, {
        Scalar(key, node) {
          if (key !== 'key' && typeof node.value === 'string') node.type = style;
        },
        Map(_, node) {
          node.flow = flow;
        },
      });
      expect((await checkAgent(document.toString({ lineWidth }))).problems).toEqual([]);
    }),
    { ...settings, numRuns: propertyRuns(15) },
  );
});
