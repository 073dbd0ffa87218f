import type { SkillStore, SkillStoreEntry } from '@repertoire/skill-storage';
import { SkillError } from '@repertoire/skills-core';

/** Options of {@link kvRestSkillStore}. */
export interface KvRestSkillStoreOptions {
  /**
   * Base URL:
   * `https://api.cloudflare.com/client/v4/accounts/{account}/storage/kv/namespaces/{namespace}`.
   */
  readonly url: string;
  /** An API token that may edit Workers KV storage. */
  readonly token: string;
}

interface Waiting {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Per request. The API takes 10,000 pairs and 100 MB as base64. */
const maxBatch = { pairs: 1_000, bytes: 32 * 2 ** 20 };
/** Attempts, and the longest wait between two. The API takes 1,200 requests in five minutes. */
const maxAttempts = 5;
const maxWaitSeconds = 300;
const maxQuoted = 500;

/**
 * A KV namespace from outside of Workers. Concurrent writes are sent together: the API limits
 * requests.
 */
export function kvRestSkillStore({ url, token }: KvRestSkillStoreOptions): SkillStore {
  const waiting: Waiting[] = [];
  let isSending = false;

  const send = async (
    route: string,
    init: Omit<RequestInit, 'signal'> & { readonly signal?: AbortSignal | undefined },
  ): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const { signal, ...rest } = init;
      const headers = { ...init.headers, authorization: `Bearer ${token}` };
      const response = await fetch(`${url}${route}`, { ...rest, headers, redirect: 'error', ...(signal !== undefined && { signal }) });
      if ((response.status !== 429 && response.status < 500) || attempt === maxAttempts) return response;
      await response.body?.cancel();
      const wanted = Number(response.headers.get('retry-after') ?? Number.NaN);
      await wait(Math.min(Number.isNaN(wanted) ? 2 ** attempt : wanted, maxWaitSeconds), signal);
    }
  };

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const body = JSON.stringify(
      batch.map(({ key, bytes }) => ({
        key,
        value: Buffer.from(bytes).toString('base64'),
        base64: true,
        metadata: { size: bytes.length, uploadedAt: Date.now() },
      })),
    );
    const init = { method: 'PUT', body, headers: { 'content-type': 'application/json' } };
    const [first] = batch;
    // Several callers share this request, so the signal of one must not abort it.
    const signal = batch.every((entry) => entry.signal === first?.signal) ? first?.signal : undefined;
    const response = await send('/bulk', { ...init, signal });
    const { result } = (await answerOf(response, 'PUT /bulk')) as { result?: { unsuccessful_keys?: readonly string[] } | null };
    const failed = new Set(result?.unsuccessful_keys);
    for (const { key, resolve, reject } of batch) {
      if (failed.has(key)) reject(new Error(`KV did not take ${key} for now`));
      else resolve();
    }
  };

  const pump = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    // Wait a turn, so that other writes of this turn join the same request.
    await Promise.resolve();
    while (waiting.length > 0) {
      let bytes = 0;
      const end = waiting.findIndex(
        (entry, index) => index > 0 && (index >= maxBatch.pairs || (bytes += entry.bytes.length) > maxBatch.bytes),
      );
      const batch: Waiting[] = [];
      for (const entry of waiting.splice(0, end < 0 ? waiting.length : end)) {
        if (entry.signal?.aborted === true) entry.reject(entry.signal.reason);
        else batch.push(entry);
      }
      try {
        if (batch.length > 0) await writeBatch(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isSending = false;
  };

  return {
    label: 'kv',
    conditional: false,

    async get(key, { maxBytes, signal } = {}) {
      const response = await send(`/values/${encodeURIComponent(key)}`, { signal });
      if (response.status === 404 && !(await isNamespaceMissing(response))) return null;
      if (!response.ok) throw await failureOf(response, `GET ${key}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes: bytes.slice(0, maxBytes), size: bytes.length };
    },

    async put(key, bytes, { signal } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ key, bytes, signal, resolve, reject });
      void pump();
      await promise;
      return true;
    },

    async list(prefix, { signal } = {}) {
      const entries: SkillStoreEntry[] = [];
      let cursor = '';
      do {
        const query = new URLSearchParams({ prefix, limit: '1000', ...(cursor !== '' && { cursor }) });
        const page = (await answerOf(await send(`/keys?${query}`, { signal }), `GET /keys?${query}`)) as KeysPage;
        entries.push(...page.result.map(({ name, metadata }) => ({ key: name, size: metadata?.size, uploadedAt: metadata?.uploadedAt })));
        const next = page.result_info?.cursor ?? '';
        if (next !== '' && next === cursor) throw new Error(`GET /keys?${query}: the listing goes in circles`);
        cursor = next;
      } while (cursor !== '');
      return entries;
    },

    async delete(keys, { signal } = {}) {
      for (let start = 0; start < keys.length; start += maxBatch.pairs) {
        const body = JSON.stringify(keys.slice(start, start + maxBatch.pairs));
        const response = await send('/bulk/delete', { method: 'POST', body, headers: { 'content-type': 'application/json' }, signal });
        await answerOf(response, 'POST /bulk/delete');
      }
    },
  };
}

interface KeysPage {
  readonly result: readonly {
    readonly name: string;
    readonly metadata?: { readonly size?: number; readonly uploadedAt?: number } | null;
  }[];
  readonly result_info?: { readonly cursor?: string | null } | null;
}

async function answerOf(response: Response, what: string): Promise<unknown> {
  if (!response.ok) throw await failureOf(response, what);
  const answer = (await response.clone().json()) as { readonly success?: unknown } | null;
  if (answer?.success === false) throw await failureOf(response, what);
  return answer;
}

/** Cloudflare's code for a namespace that is not there; a key that is not there has another. */
async function isNamespaceMissing(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes('10013');
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

async function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1_000);
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
