import fc from 'fast-check';
import { expect, it } from 'vitest';
import { freeToolName } from '@repertoire/skills-core/adapter';

it('SRC-7: a tool keeps its name where it is free, else its server stands in front, else a number behind', () => {
  expect(freeToolName('search', 'crm', new Set())).toBe('search');
  expect(freeToolName('search', 'crm', new Set(['search']))).toBe('crm__search');
  expect(freeToolName('search', 'crm', new Set(['search', 'crm__search']))).toBe('crm__search_3');
  expect(freeToolName('find/it', 'a b', new Set(['find_it']))).toBe('a_b__find_it');
});

it('SRC-7: whatever is taken, the name is free and one that model APIs accept', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 80 }),
      fc.string({ maxLength: 80 }),
      fc.integer({ min: 0, max: 12 }),
      (name, prefix, times) => {
        const taken = new Set<string>();
        for (let index = 0; index <= times; index += 1) {
          const free = freeToolName(name, prefix, taken);
          expect(taken.has(free)).toBe(false);
          expect(free).toMatch(/^[\w-]{1,64}$/);
          taken.add(free);
        }
      },
    ),
  );
});
