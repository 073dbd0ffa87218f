import fc from 'fast-check';
import { isMap, isScalar, parseDocument, type Scalar } from 'yaml';
import { describe, expect, it } from 'vitest';
import { offsetInScalar } from '../src/document/offset-in-scalar.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;
const gaps = fc.constantFrom('', '', ' ', '\n', '\n\n', '\n\n\n', " '", ' "', '  ', '\t', '\\', 'ä', '\u{1F600}', '\u0007', '\n  ');

describe('places in the file', () => {
  it('DEC-1: each character of a scalar is found again in the source, in every style of YAML', () => {
    const text = fc
      .array(gaps, { minLength: 26, maxLength: 26 })
      .map((between) => letters.map((letter, index) => letter + between[index]).join(''));
    const width = fc.constantFrom(20, 40, 0);
    const breaks = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(text, fc.constantFrom(...styles), width, breaks, (value, style, lineWidth, lineBreak) => {
        const document = parseDocument('outer:\n  key: x\n');
        (document.getIn(['outer', 'key'], true) as Scalar).value = value;
        (document.getIn(['outer', 'key'], true) as Scalar).type = style;
        const source = document.toString({ lineWidth }).replaceAll('\n', lineBreak);
        const scalar = parseDocument(source, { keepSourceTokens: true }).getIn(['outer', 'key'], true);
        if (!isScalar(scalar) || isMap(scalar)) throw new Error('no scalar');
        const read = String(scalar.value);
        for (const letter of letters) expect([source[offsetInScalar(scalar, read.indexOf(letter))], source]).toEqual([letter, source]);
      }),
      { seed: 20261121, numRuns: 1000 },
    );
  });
});
