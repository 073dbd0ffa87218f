import { HttpFailure } from './http-failure.ts';
import type { HttpSettings } from './http-settings.ts';
import { sendOnce, type HttpAnswer, type HttpQuestion } from './send-once.ts';
import { wait } from './wait.ts';

const firstDelayMs = 250;

/** How long and how often one request is tried. */
export interface SendEffort {
  readonly retries: number;
  readonly timeoutMs: number;
}

/**
 * Sends a request with retries: after `Retry-After`, or a random, doubling delay. Fails at once if
 * the server wants a longer wait than `maxRetryAfterMs`.
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
