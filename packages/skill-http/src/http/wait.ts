import type { SetTimer } from '@repertoire/skills-core/internal';
import { abortable } from '@repertoire/skills-core/provider';

/** Waits, unless the signal aborts. */
export async function wait(milliseconds: number, setTimer: SetTimer, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = setTimer(resolve, milliseconds);
  try {
    await abortable(() => promise, signal);
  } finally {
    stop();
  }
}
