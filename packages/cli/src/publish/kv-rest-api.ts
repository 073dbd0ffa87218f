import { setTimeout as sleep } from 'node:timers/promises';
import { SkillError } from '@repertoire/skills-core';

/** Options of {@link KvRestApi}. */
export interface KvRestApiOptions {
  /**
   * Base URL:
   * `https://api.cloudflare.com/client/v4/accounts/{account}/storage/kv/namespaces/{namespace}`.
   */
  readonly url: string;
  /** An API token that may edit Workers KV storage. */
  readonly token: string;
}

/** Attempts, and the longest wait between two. The API takes 1,200 requests in five minutes. */
const maxAttempts = 5;
const maxWaitSeconds = 300;
const maxQuoted = 500;

/** Cloudflare's API of one KV namespace. Requests that it is too busy for are sent again. */
export class KvRestApi {
  readonly #options: KvRestApiOptions;

  constructor(options: KvRestApiOptions) {
    this.#options = options;
  }

  /**
   * The JSON of the answer. @throws {SkillError} `permission-denied`; another error for another
   * failure
   */
  async call<Answer>(
    method: string,
    route: string,
    { body, signal }: { readonly body?: unknown; readonly signal: AbortSignal | undefined },
  ): Promise<Answer> {
    const response = await this.#send(route, signal, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const answer = response.ok ? ((await response.clone().json()) as { readonly success?: unknown } | null) : null;
    if (!response.ok || answer?.success === false) throw await failureOf(response, `${method} ${route}`);
    return answer as Answer;
  }

  /** The value of a key; `null` if there is none. */
  async value(key: string, signal: AbortSignal | undefined): Promise<Uint8Array | null> {
    const response = await this.#send(`/values/${encodeURIComponent(key)}`, signal);
    // Cloudflare's code for a namespace that does not exist. A missing key has another one.
    if (response.status === 404 && !(await response.clone().text()).includes('10013')) return null;
    if (!response.ok) throw await failureOf(response, `GET ${key}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  async #send(route: string, signal: AbortSignal | undefined, init: RequestInit = {}): Promise<Response> {
    const { url, token } = this.#options;
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(`${url}${route}`, { ...init, headers, redirect: 'error', ...(signal !== undefined && { signal }) });
      if ((response.status !== 429 && response.status < 500) || attempt === maxAttempts) return response;
      await response.body?.cancel();
      const wanted = Number(response.headers.get('retry-after') ?? Number.NaN);
      const seconds = Math.min(Number.isNaN(wanted) ? 2 ** attempt : wanted, maxWaitSeconds);
      await sleep(seconds * 1_000, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

async function failureOf(response: Response, what: string): Promise<Error> {
  const body = await response.text();
  const told = [...body.matchAll(/"message":\s*"([^"]*)"/g)]
    .map(([, message]) => message)
    .join('; ')
    .slice(0, maxQuoted);
  const text = `${what}: ${response.status}${told === '' ? '' : ` ${told}`}`;
  if (response.status === 401 || response.status === 403) {
    return new SkillError(
      'permission-denied',
      `KV refuses: ${text}. Give CLOUDFLARE_API_TOKEN a token that may edit Workers KV storage of this account.`,
    );
  }
  return new Error(text);
}
