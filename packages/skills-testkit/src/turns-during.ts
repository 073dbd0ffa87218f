import { nextTurn } from '@repertoire/skills-core/internal';

/**
 * How often others had the event loop while something was done: for a test that long work is
 * divided, and that a large library keeps nobody.
 *
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { turnsDuring } from '@repertoire/skills-testkit';
 *
 * export async function isDivided(provider: SkillProvider): Promise<boolean> {
 *   return (await turnsDuring(() => provider.listSkills())) >= 10;
 * }
 * ```
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
  const counting = count();
  try {
    await work();
  } finally {
    isOver = true;
  }
  const counted = turns;
  await counting;
  return counted;
}
