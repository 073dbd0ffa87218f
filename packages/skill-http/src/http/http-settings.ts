import type { SetTimer } from '@repertoire/skills-core/internal';
import type { UrlPolicy } from './url-policy.ts';

/** What every request needs to know. */
export interface HttpSettings {
  readonly label: string;
  readonly policy: UrlPolicy;
  /** The origin that `headers` are for. */
  readonly ownOrigin: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The headers of the call that sends the request. */
  readonly headers: () => Headers;
  readonly timeoutMs: number;
  readonly staleTimeoutMs: number;
  readonly retries: number;
  readonly maxRetryAfterMs: number;
  readonly maxRedirects: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** From 0 to less than 1. */
  readonly random: () => number;
}
