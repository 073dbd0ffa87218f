import { nextTurn } from '@repertoire/skills-core/internal';

/**
 * How often others had the event loop while something was done: for a test that long work is
 * divided, and that a large library keeps nobody.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = async (): Promise<void> => {
    for (;;) {
      await nextTurn();
      if (isOver) return;
      turns += 1;
    }
  };
  void count();
  try {
    await work();
  } finally {
    isOver = true;
  }
  return turns;
}
