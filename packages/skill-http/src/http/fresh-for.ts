import CachePolicy from 'http-cache-semantics';

/** What the headers of an answer say about caching. */
export interface Freshness {
  /** How long the answer can be used without asking again, in milliseconds from its arrival. */
  readonly freshForMs: number;
  /** Whether a cache may store it (`no-store` forbids that). */
  readonly storable: boolean;
}

/** Reads `Cache-Control`, `Expires` and `Age` as a private cache (RFC 9111). */
export function freshnessOf(headers: Headers): Freshness {
  // A 304 is judged as the answer that it renews.
  const response = { status: 200, headers: Object.fromEntries(headers) };
  const policy = new CachePolicy({ method: 'GET', headers: {} }, response, { shared: false, cacheHeuristic: 0 });
  return { freshForMs: Math.max(0, policy.maxAge() - policy.age()) * 1000, storable: policy.storable() };
}
