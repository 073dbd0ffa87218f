import fc from 'fast-check';
import { concatBytes, jsonWithList } from '@repertoire/skills-core/internal';
import { expect, it } from 'vitest';
import { turnsDuring } from '../../../../skills-testkit/src/turns-during.ts';

const key = fc.constantFrom('a', 'form', '$schema', 'é', '"', 'skills of all');
const fields = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true });
const list = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }));

it('SRC-5 SRC-9: a document with a long list is what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fields, list, fields, async (before, entries, behind) => {
      const after = Object.fromEntries(Object.entries(behind).filter(([name]) => !Object.hasOwn(before, name)));
      const written = new TextDecoder().decode(await jsonWithList(before, 'skills', entries, after));
      expect(written).toBe(JSON.stringify({ ...before, skills: entries, ...after }));
    }),
  );
});

it('SRC-5 SRC-9: writing it lets others have their turn', async () => {
  const long = Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(10_000) }));
  expect(await turnsDuring(() => jsonWithList({}, 'skills', long))).toBeGreaterThanOrEqual(15);
});

it('SRC-5: bytes are put together in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (parts) => {
      expect([...concatBytes(parts)]).toEqual(parts.flatMap((part) => [...part]));
    }),
  );
});
