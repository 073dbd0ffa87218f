/** The WASM worker: next to this module in the sources, next to the entry points in a build. */
export const workerUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './wasm/quickjs-worker.ts' : './wasm/quickjs-worker.js',
  import.meta.url,
);
