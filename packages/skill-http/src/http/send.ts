import { HttpFailure } from './http-failure.ts';
import type { HttpSettings } from './http-settings.ts';
import { sendOnce, type HttpAnswer, type HttpQuestion } from './send-once.ts';
import { wait } from './wait.ts';

const firstDelayMs = 250;

/** How hard to try. */
export interface SendEffort {
  readonly retries: number;
  readonly timeoutMs: number;
}

/**
 * Asks until there is an answer, or no attempt is left. Between attempts it waits as long as
 * `Retry-After` says, else a random part of a time that doubles, so that many clients do not retry
 * at the same time. If the server asks to wait longer than `maxRetryAfterMs`, it fails immediately.
 *
 * @throws {HttpFailure}; the signal's reason
 */
export async function send(
  question: HttpQuestion,
  settings: HttpSettings,
  signal: AbortSignal,
  { retries, timeoutMs }: SendEffort = settings,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendOnce(question, settings, timeoutMs, signal);
    } catch (error) {
      if (!(error instanceof HttpFailure) || !error.transient || attempt >= retries) throw error;
      const delay = error.retryAfterMs ?? settings.random() * firstDelayMs * 2 ** attempt;
      if (delay > settings.maxRetryAfterMs) throw error;
      await wait(delay, settings.setTimer, signal);
    }
  }
}
