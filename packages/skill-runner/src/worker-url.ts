/** Where the worker of the WASM runner is: beside this module in the sources, and beside the entries in a build. */
export const workerUrl: URL = new URL(
  import.meta.url.endsWith('.ts') ? './wasm/quickjs-worker.ts' : './wasm/quickjs-worker.js',
  import.meta.url,
);
