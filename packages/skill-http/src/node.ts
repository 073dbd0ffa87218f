// Anything added here is public API.
export { diskCache, type DiskCacheOptions } from './node/disk-cache.ts';
export { exportStatic, type ExportStaticOptions, type StaticExport } from './node/export-static.ts';
export { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './node/guarded-fetch.ts';
export { nodeListener, type NodeRequest, type NodeResponse } from './node/node-listener.ts';
