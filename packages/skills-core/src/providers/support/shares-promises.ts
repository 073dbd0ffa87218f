/**
 * Whether one call may wait for what another one started. In Cloudflare Workers it may not: a
 * promise belongs to the request that made it, and never settles once that request has ended or its
 * client went away. Whoever waited for it would wait for ever, and so would everyone after. A
 * source that shares work between callers asks this first, and there lets each caller do its own.
 * What has come may be shared everywhere.
 */
export function sharesPromises(): boolean {
  return typeof navigator === 'undefined' || navigator.userAgent !== 'Cloudflare-Workers';
}
