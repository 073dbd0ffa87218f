import { Miniflare } from 'miniflare';

/** Options of {@link openWorkerd}. */
export interface OpenWorkerdOptions {
  /** Flags of the runtime. Nothing of Node is there unless `nodejs_compat` is among them. @default none */
  readonly compatibilityFlags?: readonly string[];
  /** Classes of the module that are Durable Objects, by the names of their bindings. @default none */
  readonly durableObjects?: Readonly<Record<string, string>>;
}

/** Dates from 2026-08-04 on bring Node’s modules along; a Worker of a user may be older, or say no to them. */
const withoutNode: readonly string[] = ['no_nodejs_compat', 'no_nodejs_compat_v2'];

/** Opens the real Workers runtime with one ES module in it, which has an R2 `BUCKET` and a KV `NAMESPACE`. It is the caller's to dispose. */
export function openWorkerd(script: string, { compatibilityFlags = [], durableObjects = {} }: OpenWorkerdOptions = {}): Miniflare {
  const flags = compatibilityFlags.includes('nodejs_compat') ? compatibilityFlags : [...withoutNode, ...compatibilityFlags];
  const modules = { 'worker.mjs': { type: 'esm' as const, contents: script } };
  return new Miniflare({
    workers: [
      {
        config: {
          name: 'worker',
          compatibilityDate: '2026-11-01',
          compatibilityFlags: [...flags],
          manifest: { mainModule: 'worker.mjs', modules },
          env: {
            BUCKET: { type: 'r2', name: 'bucket' },
            NAMESPACE: { type: 'kv', id: 'namespace' },
            ...Object.fromEntries(
              Object.entries(durableObjects).map(([binding, exportName]) => [
                binding,
                { type: 'durable-object' as const, worker: 'worker', exportName },
              ]),
            ),
          },
          exports: Object.fromEntries(
            Object.values(durableObjects).map((name) => [name, { type: 'durable-object' as const, storage: 'sqlite' as const }]),
          ),
        },
      },
    ],
    cf: false,
    telemetry: { enabled: false },
  });
}
