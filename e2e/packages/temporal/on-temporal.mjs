/** Temporal's real client and real native worker. The server is the double, or a real one where `TEMPORAL_ADDRESS` names it. */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { TemporalDouble } from './temporal-double.mjs';

const logger = new DefaultLogger('ERROR');

/** With the sources of all libraries in it, the map of a bundle is twice as long as the bundle, and is read and written again for each worker and each replay. Nothing here looks at it. */
const withShortMap = ({ module: { rules, ...module }, ...configuration }) => ({
  ...configuration,
  devtool: 'inline-nosources-cheap-source-map',
  module: { ...module, rules: rules.filter(({ enforce }) => enforce !== 'pre') },
});

/**
 * Gives `play` what it needs, prints what it returns as one line of JSON, and ends the process.
 *
 * @param workflows the module of the workflows
 */
export async function onTemporal(workflows, play) {
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'temporalio_sdk_core=error', forward: {} } } });
  // A workflow task that fails is tried for ever: nothing else would end this.
  setTimeout(() => process.exit(1), 240_000).unref();
  const double = new TemporalDouble();
  const real = process.env.TEMPORAL_ADDRESS;
  const address = real ?? (await double.start());
  const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: pathOf(workflows),
    preloadModules: [pathOf('without-traces.mjs')],
    logger,
    webpackConfigHook: withShortMap,
  });
  const connection = await Connection.connect({ address });

  const played = await play({
    client: new Client({ connection }),
    workflowBundle,
    /** @returns what stops it */
    async startWorker(options) {
      const native = await NativeConnection.connect({ address });
      const worker = await Worker.create({ connection: native, workflowBundle, shutdownGraceTime: 1, shutdownForceTime: 500, ...options });
      const done = worker.run();
      return async () => {
        worker.shutdown();
        await done.catch(() => undefined);
        await native.close();
      };
    },
    /** A real server notices by itself. */
    workerDied: () => real === undefined && double.workerDied(),
  });
  await connection.close();
  if (real === undefined) double.stop();
  console.log(JSON.stringify({ server: real === undefined ? 'double' : 'real', ...played }));
  process.exit(0);
}
