import { expect, it } from 'vitest';
import { Pace } from '@repertoire/skills-core/internal';

/** How much was done in each turn of the event loop. */
async function turnsOf(work: (note: (amount: number) => void) => Promise<unknown>): Promise<number[]> {
  const done: number[] = [0];
  let isOver = false;
  const tick = (): void => {
    done.push(0);
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work((amount) => {
    done[done.length - 1] = (done.at(-1) ?? 0) + amount;
  });
  isOver = true;
  return done;
}

async function readPieces(count: number, pace: Pace, note: (amount: number) => void): Promise<void> {
  for (let piece = 0; piece < count; piece += 1) {
    await pace.spend(60);
    note(60);
  }
}

it('DIS-14: many who wait for the same turn do not all work in it', async () => {
  const pace = new Pace(100);
  const turns = await turnsOf(async (note) => {
    await Promise.all(Array.from({ length: 8 }, () => readPieces(10, pace, note)));
  });
  expect(turns.reduce((sum, amount) => sum + amount, 0)).toBe(8 * 10 * 60);
  // The piece that fills a slice may reach beyond it, and no other follows.
  expect(Math.max(...turns)).toBeLessThanOrEqual(120);
});

it('DIS-14: what takes a slice of its own shares it with nobody, and gets one also where others are always waiting', async () => {
  const pace = new Pace(100);
  const turns = await turnsOf(async (note) => {
    const reader = () => readPieces(20, pace, note);
    const builder = async (): Promise<void> => {
      for (let step = 0; step < 5; step += 1) {
        await pace.rest();
        note(1_000);
      }
    };
    await Promise.all([reader(), reader(), builder(), reader()]);
  });
  expect(turns.filter((amount) => amount >= 1_000)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
});
