import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';

/** Aborts work with the caller's signal or after the timeout, even if it ignores the signal. */
export async function withTimeout<Value>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const patience = new AbortController();
  const tooLate = () => patience.abort(new SkillError('timeout', `No answer within ${milliseconds} ms.`));
  const timer = Number.isFinite(milliseconds) ? setTimeout(tooLate, milliseconds) : undefined;
  const either = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
  try {
    return await abortable(() => work(either), either);
  } finally {
    clearTimeout(timer);
  }
}
