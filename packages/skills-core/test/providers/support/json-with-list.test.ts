import fc from 'fast-check';
import { concatBytes, jsonWithList, parseJsonWithList } from '@repertoire/skills-core/internal';
import { expect, it, vi } from 'vitest';
import { turnsDuring } from '../../../../skills-testkit/src/index.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

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

/** Texts that look like the places where a list is divided. */
const tricky = fc.constantFrom('},{"name":', '"skills":[{"name":1}]', '\\"', '[', ']}', '\\', 'é\u2028', '{"name"');
const word = fc.oneof(tricky, fc.string({ maxLength: 8 }));
const named = fc.record({ name: word, more: fc.oneof(word, fc.array(fc.record({ name: word }), { maxLength: 3 }), fc.jsonValue()) });
const otherKey = fc.oneof(fc.constantFrom('skills', 'a"skills', '__proto__', '1', 'name'), key);
const someFields = fc.array(fc.tuple(otherKey, fc.oneof(word, fc.array(named, { maxLength: 2 }))), { maxLength: 3 });
const blank = fc.constantFrom('', ' ', '\n', '\r\n\t');

it('SRC-4 SRC-5: a document with a long list is read as JSON.parse reads it, and so is one that is none', async () => {
  const documents = fc.tuple(
    someFields,
    fc.array(named, { maxLength: 12 }),
    someFields,
    blank,
    fc.constantFrom('"skills"', '"\\u0073kills"'),
  );
  const damage = fc.option(fc.tuple(fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '{"name":', '}]}')), { freq: 3 });
  let [divided, whole, bad] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(
      documents,
      damage,
      fc.integer({ min: 1, max: 80 }),
      async ([before, listed, after, space, quoted], wrong, perSlice) => {
        const field = ([name, value]: readonly [string, unknown]) => `${JSON.stringify(name)}:${space}${JSON.stringify(value)}`;
        const entries = listed.map((entry) => JSON.stringify(entry)).join(`${space},${space}`);
        const fieldsOfAll = [...before.map(field), `${quoted}${space}:${space}[${space}${entries}${space}]`, ...after.map(field)];
        const right = `${space}{${fieldsOfAll.join(`${space},`)}}${space}`;
        const at = wrong === null ? 0 : wrong[0] % right.length;
        const text = wrong === null ? right : right.slice(0, at) + wrong[1] + right.slice(at + 1);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch (error) {
          bad += 1;
          await expect(parseJsonWithList(text, 'skills', perSlice)).rejects.toThrow(error);
          return;
        }
        const parse = vi.spyOn(JSON, 'parse');
        const read = await parseJsonWithList(text, 'skills', perSlice);
        if (parse.mock.calls.some(([given]) => given === text)) whole += 1;
        else divided += 1;
        parse.mockRestore();
        expect(read).toStrictEqual(expected);
        expect(JSON.stringify(read)).toBe(JSON.stringify(expected));
      },
    ),
    { numRuns: propertyRuns(3_000) },
  );
  expect(Math.min(divided, whole, bad)).toBeGreaterThan(propertyRuns(300));
});

it.each([
  ['an entry without its comma', '{"skills":[{"name":1},{"name":2} {"name":3}]}'],
  ['an entry behind two commas', '{"skills":[{"name":1},,{"name":2}]}'],
  ['a blank that JSON does not have', '{"skills":[{"name":1},\u00A0{"name":2},{"name":3}]}'],
  ['a number that runs into an entry', '{"skills":[{"name":1},1{"name":2},{"name":3}]}'],
  ['an entry that is open', '{"skills":[{"name":1},{"name":2,{"name":3}]}'],
  ['a list that is open', '{"skills":[{"name":1},{"name":2}'],
  ['more behind the end', '{"skills":[{"name":1},{"name":2}]}]'],
])('SRC-4 SRC-5: a long list is JSON or none: %s', async (_, text) => {
  await expect(parseJsonWithList(text, 'skills', 1)).rejects.toThrow(SyntaxError);
});

it('SRC-4 SRC-5: reading it lets others have their turn, also where it is written with indents', async () => {
  const long = {
    version: 1,
    skills: Array.from({ length: 2_000 }, (_, index) => ({ name: `s-${index}`, text: 'x'.repeat(1_000) })),
    end: true,
  };
  for (const indent of [0, 2]) {
    const text = JSON.stringify(long, null, indent);
    let read: unknown;
    expect(await turnsDuring(async () => (read = await parseJsonWithList(text, 'skills')))).toBeGreaterThanOrEqual(14);
    expect(read).toEqual(long);
  }
});

it('SRC-5: bytes are put together in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (parts) => {
      expect([...concatBytes(parts)]).toEqual(parts.flatMap((part) => [...part]));
    }),
  );
});
