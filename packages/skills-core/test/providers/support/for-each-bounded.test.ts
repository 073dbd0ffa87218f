import { expect, it } from 'vitest';
import { forEachBounded } from '@repertoire/skills-core/provider';

/** Work that ends when it is told to, and remembers what began. */
function gatedWork() {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const begun: string[] = [];
  const work = async (item: string): Promise<void> => {
    begun.push(item);
    const gate = Promise.withResolvers<void>();
    gates.set(item, gate);
    await gate.promise;
  };
  const gateOf = (item: string): PromiseWithResolvers<void> => {
    const gate = gates.get(item);
    if (gate === undefined) throw new Error(`${item} has not begun.`);
    return gate;
  };
  return { begun, work, gateOf };
}

/** Lets everything happen that can happen without anyone doing something. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

const items = ['a', 'b', 'c', 'd'];

it('CON-1: works on every item with its index, in order, so many at a time', async () => {
  const { begun, work, gateOf } = gatedWork();
  const indexes: number[] = [];
  const all = forEachBounded(items, 2, async (item, index) => {
    indexes.push(index);
    await work(item);
  });
  await settled();
  expect(begun).toEqual(['a', 'b']);
  gateOf('b').resolve();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const item of ['a', 'c']) gateOf(item).resolve();
  await settled();
  gateOf('d').resolve();
  await all;
  expect([begun, indexes]).toEqual([items, [0, 1, 2, 3]]);
});

it('CON-1: where one fails, no other begins, and those under way are waited for', async () => {
  const { begun, work, gateOf } = gatedWork();
  let outcome = 'pending';
  const all = forEachBounded(items, 3, work).catch((error: unknown) => (outcome = String(error)));
  await settled();
  gateOf('b').reject(new Error('b failed'));
  await settled();
  gateOf('a').reject(new Error('a failed later'));
  await settled();
  expect([begun, outcome]).toEqual([['a', 'b', 'c'], 'pending']);
  gateOf('c').resolve();
  await all;
  expect([begun, outcome]).toEqual([['a', 'b', 'c'], 'Error: b failed']);
});

it('CON-1: once the signal is aborted no other begins, and it rejects with the reason', async () => {
  const { begun, work, gateOf } = gatedWork();
  const controller = new AbortController();
  const all = forEachBounded(items, 2, work, controller.signal);
  await settled();
  controller.abort('enough');
  gateOf('a').reject(new Error('told of the abort in its own way'));
  gateOf('b').resolve();
  await expect(all).rejects.toBe('enough');
  expect(begun).toEqual(['a', 'b']);
  await expect(forEachBounded(items, 2, work, controller.signal)).rejects.toBe('enough');
  expect(begun).toEqual(['a', 'b']);
});

it('CON-1: takes work that does not wait, no items at all, and more at a time than there are', async () => {
  const seen: string[] = [];
  await forEachBounded(items, Number.POSITIVE_INFINITY, (item) => void seen.push(item));
  await forEachBounded([], 8, () => void seen.push('never'));
  expect(seen).toEqual(items);
});

it('CON-1: a failure without an error is one, too', async () => {
  const nothing = undefined as unknown as Error;
  await expect(forEachBounded(items, 1, () => Promise.reject(nothing))).rejects.toBeUndefined();
});

it.each([0, -1, 0.5, Number.NaN])('CON-1: refuses to do nothing, %s at a time', async (concurrency) => {
  await expect(forEachBounded(items, concurrency, () => {})).rejects.toMatchObject({
    code: 'invalid-options',
    message: `Option "concurrency" of forEachBounded is ${concurrency}. Give a number of at least 1.`,
  });
});
