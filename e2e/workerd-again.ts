import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Miniflare } from 'miniflare';
import type { RunningWorker } from './wrangler-dev.ts';

/** A configuration of wrangler, as far as the Workers here have it. */
interface Configuration {
  readonly name: string;
  readonly compatibility_date: string;
  readonly compatibility_flags: readonly string[];
  readonly durable_objects?: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] };
  readonly workflows?: readonly { readonly name: string; readonly binding: string; readonly class_name: string }[];
  readonly kv_namespaces?: readonly { readonly binding: string; readonly id: string }[];
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly d1_databases?: readonly { readonly binding: string; readonly database_id: string }[];
  readonly vars?: Readonly<Record<string, string>>;
}

/** A Worker that `wrangler dev` has run. */
export interface WorkerToRun {
  /** The text of its configuration. */
  readonly configuration: string;
  /** What wrangler made of its modules. */
  readonly bundle: string;
  /** Where `wrangler dev` kept local R2, KV and Durable Objects: its `--persist-to`. */
  readonly persistTo: string;
  /** Variables of the Worker, beside those of its configuration. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Runs a Worker that `wrangler dev` has run, by its configuration and on its state. The runtime is
 * the same one, and does not wait for wrangler, whose start takes two seconds of CPU.
 */
export async function workerdAgain(worker: WorkerToRun): Promise<RunningWorker> {
  let output = '';
  const children: ChildProcess[] = [];
  // Miniflare shows its process to nobody.
  const listen = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once('spawn', () => {
      if (!child.spawnfile.endsWith('workerd')) return;
      children.push(child);
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => void (output += String(chunk)));
    });
  };
  subscribe('child_process', listen);
  const runtime = await openRuntime(worker);
  const url = await runtime.ready.finally(() => unsubscribe('child_process', listen));
  const [child] = children;
  if (child === undefined) throw new Error('No process of workerd was seen.');
  const exited = once(child, 'exit');
  let ended: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await runtime.dispose();
  };
  return {
    url: url.origin,
    output: () => output,
    kill: () => (ended ??= kill()),
    [Symbol.asyncDispose]: () => (ended ??= runtime.dispose()),
  };
}

async function openRuntime({ configuration, bundle, persistTo, variables }: WorkerToRun): Promise<Miniflare> {
  // JSON with comments is JavaScript.
  const module = (await import(`data:text/javascript,export default ${encodeURIComponent(configuration)}`)) as { default: Configuration };
  const {
    name,
    durable_objects: objects,
    workflows = [],
    kv_namespaces: namespaces = [],
    r2_buckets: buckets = [],
    d1_databases: databases = [],
    ...rest
  } = module.default;
  const { bindings = [] } = objects ?? {};
  return new Miniflare({
    workers: [
      {
        config: {
          name,
          compatibilityDate: rest.compatibility_date,
          compatibilityFlags: [...rest.compatibility_flags],
          manifest: { mainModule: 'worker.js', modules: { 'worker.js': { type: 'esm', contents: bundle } } },
          env: Object.fromEntries([
            ...Object.entries({ ...rest.vars, ...variables }).map(([key, value]) => [key, { type: 'text' as const, value }] as const),
            ...namespaces.map(({ binding, id }) => [binding, { type: 'kv' as const, id }] as const),
            ...buckets.map(({ binding, bucket_name }) => [binding, { type: 'r2' as const, name: bucket_name }] as const),
            ...databases.map(({ binding, database_id }) => [binding, { type: 'd1' as const, id: database_id }] as const),
            ...bindings.map((each) => [each.name, { type: 'durable-object' as const, worker: name, exportName: each.class_name }] as const),
            ...workflows.map(
              (each) => [each.binding, { type: 'workflow' as const, name: each.name, worker: name, exportName: each.class_name }] as const,
            ),
          ]),
          exports: Object.fromEntries([
            ...bindings.map((each) => [each.class_name, { type: 'durable-object' as const, storage: 'sqlite' as const }] as const),
            ...workflows.map((each) => [each.class_name, { type: 'workflow' as const, name: each.name }] as const),
          ]),
        },
      },
    ],
    resourcePersistencePath: `${persistTo}/v3`,
    cf: false,
    telemetry: { enabled: false },
  });
}
