import { SkillError } from '@repertoire/skills-core';
import { abortable } from '@repertoire/skills-core/provider';
import { failure, HttpFailure } from './http-failure.ts';
import type { HttpSettings } from './http-settings.ts';
import { BodyError, discardBody, readBody } from './read-body.ts';
import { retryAfterMs } from './retry-after.ts';
import { checkUrl } from './url-policy.ts';

/** One request. */
export interface HttpQuestion {
  readonly url: string;
  readonly accept: string;
  readonly maxBytes: number;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** The answer to a request. */
export interface HttpAnswer {
  /** Where the answer came from, redirects followed. */
  readonly url: string;
  readonly headers: Headers;
  /** `null` where nothing changed (304). */
  readonly bytes: Uint8Array | null;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const transientStatus: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * One attempt within one time limit. Every redirect is checked, and only the host's own origin gets
 * its headers.
 *
 * @throws {HttpFailure}; the signal's reason
 */
export async function sendOnce(
  question: HttpQuestion,
  settings: HttpSettings,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const patience = new AbortController();
  const stopTimer = settings.setTimer(() => patience.abort(), timeoutMs);
  const either = AbortSignal.any([signal, patience.signal]);
  try {
    return await followed(question, settings, either);
  } catch (error) {
    signal.throwIfAborted();
    if (patience.signal.aborted)
      throw failure('timeout', question.url, `did not answer in full within ${timeoutMs} ms. Try again, or raise timeoutMs.`, {
        source: settings.label,
        transient: true,
      });
    throw asFailure(error, question, settings);
  } finally {
    stopTimer();
  }
}

async function followed(question: HttpQuestion, settings: HttpSettings, signal: AbortSignal): Promise<HttpAnswer> {
  let url = checkUrl(question.url, settings.policy);
  for (let hops = 0; ; hops += 1) {
    const request = new Request(url, { headers: headersFor(url, question, settings), redirect: 'manual', signal });
    const response = await abortable(() => settings.fetch(request), signal);
    if (response.redirected) {
      // This `fetch` followed redirects by itself. Their targets were not checked, and may have
      // received the credentials.
      await discardBody(response);
      throw failure('permission-denied', url.href, 'was redirected by the fetch that was given, which must leave redirects alone.', {
        source: settings.label,
      });
    }
    const location = redirects.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return await answerOf(response, url, question, settings, signal);
    await discardBody(response);
    if (hops >= settings.maxRedirects)
      throw failure('source-unavailable', question.url, `redirects more than ${settings.maxRedirects} times.`, { source: settings.label });
    url = checkUrl(location, settings.policy, { base: url.href });
  }
}

async function answerOf(
  response: Response,
  url: URL,
  question: HttpQuestion,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { status, headers } = response;
  if (status === 304) {
    await discardBody(response);
    if (question.etag === undefined && question.lastModified === undefined)
      throw failure('source-unavailable', url.href, 'answered 304 to a question without a condition.', { source: settings.label });
    return { url: url.href, headers, bytes: null };
  }
  if (status === 200 || status === 203) return { url: url.href, headers, bytes: await readBody(response, question.maxBytes, signal) };
  await discardBody(response);
  // Browsers hide the target of a redirect, so it cannot be checked.
  const said = response.type === 'opaqueredirect' ? 'redirects, which cannot be checked here.' : `answered ${status}.`;
  throw failure('source-unavailable', url.href, said, {
    source: settings.label,
    status,
    transient: transientStatus.has(status),
    retryAfterMs: retryAfterMs(headers, settings.now()),
  });
}

function headersFor(url: URL, question: HttpQuestion, settings: HttpSettings): Headers {
  const headers = url.origin === settings.ownOrigin ? settings.headers() : new Headers();
  headers.set('accept', question.accept);
  if (question.etag !== undefined) headers.set('if-none-match', question.etag);
  else if (question.lastModified !== undefined) headers.set('if-modified-since', question.lastModified);
  return headers;
}

function asFailure(error: unknown, { url }: HttpQuestion, { label: source }: HttpSettings): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (SkillError.isInstance(error)) return new HttpFailure(error);
  if (error instanceof BodyError) {
    if (error.kind === 'too-large')
      return failure('limit-exceeded', url, `${error.message}. Raise the limit where that is right.`, { source });
    return failure('source-unavailable', url, `${error.message}.`, { source, transient: true });
  }
  // `fetch` rejects with a TypeError; the reason is in its `cause`.
  const reason =
    error instanceof Error
      ? [error.message, error.cause instanceof Error ? error.cause.message : ''].filter(Boolean).join(': ')
      : String(error);
  return failure('source-unavailable', url, `cannot be reached: ${reason}.`, { source, transient: true, cause: error });
}
