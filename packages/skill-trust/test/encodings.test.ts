import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { decodeBase64 } from '../src/encoding/base64.ts';
import { parseStrictJson } from '../src/encoding/strict-json.ts';

const refuse = (reason: string): never => {
  throw new Error(reason);
};
const read = (text: string): unknown => parseStrictJson(new TextEncoder().encode(text), 32, refuse);
/** Texts of what ends a string or a key, and of what escapes it. */
const hard = fc.string({ unit: fc.constantFrom('"', '\\', ':', ',', '{', '}', '[', ']', 'a', '\n', 'ü'), maxLength: 8 });
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, hard, fc.constantFrom(null, true, 0, -1.5), fc.array(tie('any')), fc.dictionary(hard, tie('any'))),
})).any;
const runs = { numRuns: propertyRuns(2000), seed: 20_261_128 };

describe('GOV-12: encodings that are read by one rule only', () => {
  it('strict JSON is read as JSON is, and with any key twice not at all', () => {
    fc.assert(
      fc.property(fc.dictionary(hard, value, { minKeys: 1 }), (object) => {
        const text = JSON.stringify(object);
        expect(read(text)).toEqual(JSON.parse(text));
        const [[key, held] = []] = Object.entries(object);
        const again = `${text.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(held)}}`;
        expect(() => read(again)).toThrow('occurs twice');
        expect(() => read(`[[${again}]]`)).toThrow('occurs twice');
      }),
      runs,
    );
  });

  it('base64 is read where writing it gives the same text, and nowhere else', () => {
    const almost = fc.string({ unit: fc.constantFrom('A', 'Q', 'R', 'z', '9', '+', '/', '=', '-', ' '), maxLength: 12 });
    fc.assert(
      fc.property(almost, (text) => {
        const bytes = Buffer.from(text, 'base64');
        const isOwn = bytes.toString('base64') === text;
        expect(decodeBase64(text)).toEqual(isOwn ? Uint8Array.from(bytes) : null);
      }),
      { ...runs, examples: [['QQ=='], ['QR=='], ['QQ='], [''], ['AAA='], ['AAAA']] },
    );
  });
});
