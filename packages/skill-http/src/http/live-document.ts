import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { Flights } from './flights.ts';
import type { AnswerCache } from './http-cache.ts';
import { HttpFailure, unwrapped } from './http-failure.ts';
import type { HttpSettings } from './http-settings.ts';
import { freshnessOf } from './fresh-for.ts';
import { send, type SendEffort } from './send.ts';
import type { HttpAnswer, HttpQuestion } from './send-once.ts';

/** How long an answer is used. These bound what the server says. */
export interface FreshnessRules {
  /** Minimum milliseconds for which an answer counts as fresh. */
  readonly minFreshMs: number;
  /** Maximum milliseconds for which an answer counts as fresh. */
  readonly maxFreshMs: number;
  /** Milliseconds after that in which the old answer is returned while a new one is fetched. */
  readonly staleWhileRevalidateMs: number;
  /**
   * Milliseconds after its last confirmation for which an answer serves while the server is down.
   */
  readonly maxStaleMs: number;
  /** Milliseconds to wait before a failed server is asked again, if an old answer can serve. */
  readonly cooldownMs: number;
}

/** What the documents of one provider share. */
export interface DocumentContext {
  readonly http: HttpSettings;
  readonly rules: FreshnessRules;
  readonly flights: Flights;
  readonly cache: AnswerCache;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The last good copy of a document. */
export interface DocumentCopy<Value> {
  readonly value: Value;
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly checkedAt: number;
  readonly freshUntil: number;
  readonly storable: boolean;
}

/** Sends a request to the server. */
export type AskServer = (question: HttpQuestion) => Promise<HttpAnswer>;

/** Fetches the document. `previous` is the copy that may still be current. */
export type FetchDocument<Value> = (
  ask: AskServer,
  previous: DocumentCopy<Value> | null,
) => Promise<{ readonly answer: HttpAnswer; readonly value: Value }>;

/** How a document is fetched and parsed. */
export interface DocumentSource<Value> {
  /** Identifies it within the provider. */
  readonly key: string;
  readonly fetch: FetchDocument<Value>;
  /** Parses bytes from the cache. */
  readonly restore: (bytes: Uint8Array, url: string) => Promise<Value>;
  /** Until when a value may serve at all, in milliseconds since 1970. @default Infinity */
  readonly validUntil?: ((value: Value) => number) | undefined;
}

/**
 * A document on a server. It is revalidated when it is stale, and its last good copy serves while
 * the server is down. Only an answer that could be parsed replaces the copy.
 */
export class LiveDocument<Value> {
  readonly #source: DocumentSource<Value>;
  readonly #context: DocumentContext;
  #copy: DocumentCopy<Value> | null = null;
  #restored = false;
  #failure: SkillError | null = null;
  #leaveAloneUntil = 0;

  constructor(source: DocumentSource<Value>, context: DocumentContext) {
    this.#source = source;
    this.#context = context;
  }

  /** The current copy, whatever its age; `null` before the first answer. */
  get copy(): DocumentCopy<Value> | null {
    return this.#copy;
  }

  /** Why the current copy is not the newest; `null` if it is. */
  get failure(): SkillError | null {
    return this.#failure;
  }

  /**
   * The document, no staler than the rules allow.
   *
   * @param changedSince asks the server also where the copy is fresh, unless it was asked after
   *   this time
   * @throws {HttpFailure | SkillError} where there is neither an answer nor a copy that may serve
   */
  async current(signal: AbortSignal | undefined, changedSince?: number): Promise<DocumentCopy<Value>> {
    signal?.throwIfAborted();
    const { rules, http, flights, waitUntil } = this.#context;
    if (!this.#restored) await flights.join(`${this.#source.key} restore`, signal, () => this.#restore());
    const now = http.now();
    const copy = this.#copy;
    if (copy !== null && this.#isValid(copy, now)) {
      const mustAsk = changedSince !== undefined && copy.checkedAt <= changedSince;
      // If the clock was set back, the age of the copy is unknown.
      const isAfter = now >= copy.checkedAt;
      const isFresh = isAfter && now < copy.freshUntil;
      if (!mustAsk && isFresh) return copy;
      if (now < this.#leaveAloneUntil && this.#mayServe(copy, now)) return copy;
      if (!mustAsk && isAfter && now < copy.freshUntil + rules.staleWhileRevalidateMs) {
        waitUntil(this.#refresh(undefined).catch(() => {}));
        return copy;
      }
    }
    return await this.#refresh(signal);
  }

  async #refresh(signal: AbortSignal | undefined): Promise<DocumentCopy<Value>> {
    return await this.#context.flights.join(this.#source.key, signal, (inner) => this.#ask(inner));
  }

  async #ask(signal: AbortSignal): Promise<DocumentCopy<Value>> {
    const { http, rules } = this.#context;
    const previous = this.#copy !== null && this.#mayServe(this.#copy, http.now()) ? this.#copy : null;
    // If a stale answer exists, wait only a short time for a new one.
    const effort: SendEffort = previous === null ? http : { retries: 0, timeoutMs: Math.min(http.timeoutMs, http.staleTimeoutMs) };
    try {
      const { answer, value } = await this.#source.fetch((question) => send(question, http, signal, effort), previous);
      const copy = this.#copyOf(answer, value, previous);
      this.#copy = copy;
      this.#failure = null;
      this.#leaveAloneUntil = 0;
      if (copy.storable) await this.#store(copy);
      return copy;
    } catch (error) {
      signal.throwIfAborted();
      const reason = asRubbish(unwrapped(error), this.#source.key, http.label);
      this.#failure = reason;
      this.#leaveAloneUntil = http.now() + Math.max(rules.cooldownMs, (error instanceof HttpFailure ? error.retryAfterMs : undefined) ?? 0);
      if (previous !== null) return previous;
      throw error instanceof HttpFailure ? error : reason;
    }
  }

  #copyOf(answer: HttpAnswer, value: Value, previous: DocumentCopy<Value> | null): DocumentCopy<Value> {
    const { rules, http } = this.#context;
    const { freshForMs, storable } = freshnessOf(answer.headers);
    const checkedAt = http.now();
    return {
      value,
      url: answer.url,
      bytes: answer.bytes ?? previous?.bytes ?? new Uint8Array(0),
      etag: answer.headers.get('etag') ?? (answer.bytes === null ? previous?.etag : undefined),
      lastModified: answer.headers.get('last-modified') ?? (answer.bytes === null ? previous?.lastModified : undefined),
      checkedAt,
      freshUntil: checkedAt + Math.min(Math.max(freshForMs, rules.minFreshMs), rules.maxFreshMs),
      storable,
    };
  }

  #mayServe(copy: DocumentCopy<Value>, now: number): boolean {
    return now - copy.checkedAt <= this.#context.rules.maxStaleMs && this.#isValid(copy, now);
  }

  #isValid({ value }: DocumentCopy<Value>, now: number): boolean {
    return this.#source.validUntil === undefined || now < this.#source.validUntil(value);
  }

  async #restore(): Promise<void> {
    if (this.#restored) return;
    const stored = await this.#context.cache.readAnswer(this.#source.key);
    this.#restored = true;
    if (stored === null) return;
    const { record, bytes } = stored;
    try {
      const value = await this.#source.restore(bytes, record.url);
      const { url, etag, lastModified, checkedAt } = record;
      // Restored from disk: revalidate immediately, serve it stale if the server is down.
      this.#copy = { value, url, bytes, etag, lastModified, checkedAt, freshUntil: 0, storable: true };
    } catch {
      // Cached bytes that cannot be parsed are ignored: the server is asked.
    }
  }

  async #store({ url, bytes, etag, lastModified, checkedAt }: DocumentCopy<Value>): Promise<void> {
    if (!this.#context.cache.isThere) return;
    const digest = await sha256Hex(bytes);
    await this.#context.cache.writeAnswer({ key: this.#source.key, url, digest, etag, lastModified, checkedAt }, bytes);
  }
}

/** Errors in a document must not replace a good copy. */
function asRubbish(error: unknown, key: string, source: string): SkillError {
  if (SkillError.isInstance(error)) return error;
  const detail = messageOf(error);
  return new SkillError('source-unavailable', `[skill-http] What was answered for the ${key} cannot be used: ${detail}.`, {
    source,
    cause: error,
  });
}

/** The request for a URL, conditional if there is a previous copy. */
export function questionFor(url: string, accept: string, maxBytes: number, previous: DocumentCopy<unknown> | null): HttpQuestion {
  return { url, accept, maxBytes, ...(previous !== null && { etag: previous.etag, lastModified: previous.lastModified }) };
}
