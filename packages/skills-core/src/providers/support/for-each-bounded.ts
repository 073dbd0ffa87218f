import { numberOption } from './number-option.ts';

/**
 * Runs work for every item in order, with limited concurrency: for a source that reads many files
 * or sends many requests. If one fails, no other starts; it waits for those that are running, so
 * that nothing continues unnoticed, and then rejects with the first failure. Once the signal is
 * aborted, no other starts either, and it rejects with the signal's reason. Pass the signal to the
 * work as well, so that it ends early.
 *
 * @param concurrency how many at the same time: at least 1
 * @throws {SkillError} `invalid-options` for a concurrency below 1; else what the work rejects with
 * @example
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { forEachBounded, readListing, type SkillCallOptions } from '@repertoire/skills-core/provider';
 *
 * export async function bodies(provider: SkillProvider, { signal }: SkillCallOptions = {}): Promise<Map<string, string>> {
 *   const found = new Map<string, string>();
 *   const work = async (name: string): Promise<void> => {
 *     const skill = await provider.getSkill(name, { signal });
 *     if (skill !== null) found.set(name, skill.body);
 *   };
 *   const { skills } = await readListing(provider, { signal });
 *   await forEachBounded(skills.map(({ name }) => name), 8, work, signal);
 *   return found;
 * }
 * ```
 */
export async function forEachBounded<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const most = numberOption('concurrency', concurrency, { of: 'forEachBounded', fallback: 1, least: 1 });
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const runner = async (): Promise<void> => {
    try {
      while (next < items.length && failure === undefined && signal?.aborted !== true) {
        const index = next;
        next += 1;
        await work(items[index] as Item, index);
      }
    } catch (error) {
      failure ??= { error };
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, runner));
  signal?.throwIfAborted();
  if (failure !== undefined) await Promise.reject(failure.error);
}
