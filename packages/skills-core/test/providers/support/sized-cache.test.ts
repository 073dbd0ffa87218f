import { expect, it } from 'vitest';
import { SizedCache } from '@repertoire/skills-core/internal';

function keptOf(cache: SizedCache<string>): string[] {
  return ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined);
}

it('CON-1: keeps values up to a total size, and what was used longest ago goes first', () => {
  const cache = new SizedCache<string>(10);
  cache.set('a', 'one', 4);
  cache.set('b', 'two', 4);
  expect(cache.get('a')).toBe('one');
  cache.set('c', 'three', 4);
  expect(cache.get('b')).toBeUndefined();
  expect([cache.get('a'), cache.get('c')]).toEqual(['one', 'three']);
  // Exactly full is not too full.
  cache.set('d', 'four', 2);
  expect(keptOf(cache)).toEqual(['a', 'c', 'd']);
  // One that needs the room of several pushes out several.
  cache.set('b', 'five', 8);
  expect(keptOf(cache)).toEqual(['b', 'd']);
});

it('CON-1: a value takes the place and the size of the one before it', () => {
  const cache = new SizedCache<string>(10);
  cache.set('a', 'one', 6);
  cache.set('b', 'two', 4);
  cache.set('a', 'short', 1);
  cache.set('c', 'three', 5);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['short', 'two', 'three']);
});

it('CON-1: what is larger than all may be is not kept, and pushes nothing out', () => {
  const cache = new SizedCache<string>(10);
  cache.set('a', 'one', 5);
  cache.set('b', 'two', 11);
  expect(keptOf(cache)).toEqual(['a']);
  // What it was to replace is no longer true.
  cache.set('a', 'larger', 11);
  expect(keptOf(cache)).toEqual([]);
});

it('CON-1: forgets one value or all, and has their room again', () => {
  const cache = new SizedCache<string>(10);
  cache.set('a', 'one', 5);
  cache.set('b', 'two', 5);
  cache.delete('a');
  cache.delete('never there');
  cache.set('c', 'three', 5);
  expect(keptOf(cache)).toEqual(['b', 'c']);
  cache.clear();
  expect(keptOf(cache)).toEqual([]);
  cache.set('d', 'four', 10);
  expect(keptOf(cache)).toEqual(['d']);
});
