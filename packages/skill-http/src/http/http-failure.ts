import { SkillError, type SkillErrorCode } from '@repertoire/skills-core';

/** An error of one request, with what a caller needs to decide whether to go on. */
export class HttpFailure extends Error {
  readonly error: SkillError;
  /** The status of the answer, if there was one. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** How long to wait before the next attempt, in milliseconds, if the server said so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    error: SkillError,
    { status, transient = false, retryAfterMs }: { status?: number; transient?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.status = status;
    this.transient = transient;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the server says that there is no such resource (404, 410). */
export function isAbsent(error: unknown): boolean {
  return error instanceof HttpFailure && (error.status === 404 || error.status === 410);
}

/** A failure with a message that names the URL. */
export function failure(
  code: SkillErrorCode,
  url: string,
  what: string,
  details: { source: string; status?: number; transient?: boolean; retryAfterMs?: number | undefined; cause?: unknown },
): HttpFailure {
  const { source, cause, ...rest } = details;
  return new HttpFailure(new SkillError(code, `[skill-http] ${url} ${what}`, { source, path: url, cause }), rest);
}

/** The `SkillError` behind whatever was thrown; anything else is passed on as it is. */
export function unwrapped(error: unknown): unknown {
  return error instanceof HttpFailure ? error.error : error;
}
