import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** The Workers runtime with a bucket `BUCKET` and a namespace `NAMESPACE`, to be asked from outside. */
export async function workersRuntime(): Promise<Miniflare> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: 'export default { fetch: () => new Response() };' }],
      compatibilityDate: '2026-11-01',
      r2Buckets: ['BUCKET'],
      kvNamespaces: ['NAMESPACE'],
      cf: false,
    }),
  );
  await runtime.ready;
  return runtime;
}
