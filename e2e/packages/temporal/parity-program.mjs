/** Plays the conversation of `e2e/parity` on Temporal's real client and native worker, and prints in which runs the model was given other bytes than in a plain loop. */
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { temporalAgentActivities } from '@repertoire/skill-workflow/temporal';
import { plainHost } from './parity/hosts/plain.ts';
import { inCodeSource } from './parity/sources/in-code.ts';
import { openLibraries } from './parity/sources/source.ts';
import { TemporalDouble } from './temporal-double.mjs';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'temporalio_sdk_core=error', forward: {} } },
});
setTimeout(() => process.exit(1), 200_000).unref();

const { provider } = await openLibraries(inCodeSource);
const given = new Map();
const activities = temporalAgentActivities({
  provider,
  model: async (call) => {
    const { workflowId } = Context.current().info.workflowExecution;
    given.set(workflowId, [...(given.get(workflowId) ?? []), call]);
  },
});
const double = new TemporalDouble();
const real = process.env.TEMPORAL_ADDRESS;
const address = real ?? (await double.start());
const taskQueue = `parity-${process.pid}`;
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('parity-workflows.mjs', import.meta.url)),
  logger: new DefaultLogger('ERROR'),
});
const native = await NativeConnection.connect({ address });
const worker = await Worker.create({ connection: native, taskQueue, workflowBundle, activities });
const done = worker.run();
const connection = await Connection.connect({ address });
const client = new Client({ connection });

const wrong = [];
let calls = 0;
for (const variant of ['usual', 'unusual', 'extended']) {
  const reference = JSON.parse(JSON.stringify(await plainHost.play(provider, variant)));
  for (const loop of ['core', 'AI SDK']) {
    const workflowId = `${loop} ${variant} ${process.pid}`;
    await client.workflow.execute('parity', { taskQueue, workflowId, args: [loop, variant] });
    const told = given.get(workflowId);
    calls += told.length;
    const same = isDeepStrictEqual(
      told.map(({ at }) => at),
      reference.map((_call, index) => index),
    );
    if (
      !same ||
      !isDeepStrictEqual(
        told.map((each) => each.given),
        reference,
      )
    )
      wrong.push(workflowId);
  }
}
worker.shutdown();
await done;
await connection.close();
await native.close();
if (real === undefined) double.stop();
console.log(JSON.stringify({ server: real === undefined ? 'double' : 'real', calls, wrong }));
process.exit(0);
