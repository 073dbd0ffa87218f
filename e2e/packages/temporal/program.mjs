/**
 * Runs workflow skills with Temporal's real client and real native worker, and prints what came of it as one line of JSON. The server is the double, or a real one where
 * `TEMPORAL_ADDRESS` names it.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { parseWorkflow } from '@repertoire/skill-workflow';
import { temporalActivities } from '@repertoire/skill-workflow/temporal';
import { TemporalDouble } from './temporal-double.mjs';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'temporalio_sdk_core=error', forward: {} } },
});

const skill = {
  name: 'sums',
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
    { name: 'fan', tools: ['x', 'y', 'z'].map((name, b) => ({ name, tool: 'add', input: { a: '$.steps.first.output.sum', b } })) },
    { name: 'tell', prompt: 'Tell the sums.', input: { sums: '$.steps.fan.output' } },
  ],
};
const workflow = parseWorkflow(skill, { tools: ['add'], allowUntrusted: true });

// A workflow task that fails is tried for ever: nothing else would end this.
setTimeout(() => process.exit(1), 120_000).unref();

const ran = [];
let hold = 'fan/y';
const held = Promise.withResolvers();
const tools = {
  add: async ({ a, b }, { call, attempt, idempotencyKey, signal }) => {
    ran.push([call, idempotencyKey, signal instanceof AbortSignal]);
    if (a === 'broken') throw new Error(`No numbers, attempt ${attempt}.`);
    if (call === hold) {
      held.resolve();
      // Never ends in this worker.
      await once(signal, 'abort');
      signal.throwIfAborted();
    }
    return { sum: Number(a) + Number(b) };
  },
};
const activities = temporalActivities({ tools, generate: async ({ prompt }) => prompt, current: () => Context.current() });

const double = new TemporalDouble();
const real = process.env.TEMPORAL_ADDRESS;
const address = real ?? (await double.start());
const taskQueue = `skills-${process.pid}`;
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('workflows.mjs', import.meta.url)),
  logger: new DefaultLogger('ERROR'),
});
const startWorker = async () => {
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle,
    activities,
    maxCachedWorkflows: 0,
    shutdownGraceTime: 1,
    shutdownForceTime: 500,
  });
  const done = worker.run();
  return async () => {
    worker.shutdown();
    await done.catch(() => undefined);
    await connection.close();
  };
};
const connection = await Connection.connect({ address });
const client = new Client({ connection });
const start = async (workflowId, input) =>
  await client.workflow.start('skillWorkflow', { taskQueue, workflowId, args: [{ workflow, input }] });

let stop = await startWorker();
const handle = await start(`sums-${process.pid}`, { a: 1, b: 2 });
await held.promise;
// Its siblings have ended: what is recorded by now does not run again.
while (ran.length < 4) await new Promise((resolve) => setImmediate(resolve));
await stop();
hold = undefined;
if (real === undefined) double.workerDied();
stop = await startWorker();
const { steps } = await handle.result();

const failed = await start(`fails-${process.pid}`, { a: 'broken', b: 1 });
const failure = await failed.result().catch((error) => error.cause);
const refused = await start(`refused-${process.pid}`, { a: 1 });
const refusal = await refused.result().catch((error) => error.cause);
await stop();

const history = await handle.fetchHistory();
const replay = async (given) =>
  await Worker.runReplayHistory({ workflowBundle }, given).then(
    () => 'accepted',
    (error) => error.name,
  );
const accepted = await replay(history);
const scheduled = history.events.find((event) => event.activityTaskScheduledEventAttributes);
scheduled.activityTaskScheduledEventAttributes.activityType.name = 'other';
const altered = await replay(history);
await connection.close();
if (real === undefined) double.stop();

console.log(
  JSON.stringify({
    server: real === undefined ? 'double' : 'real',
    sums: Object.values(steps.fan.output).map(({ sum }) => sum),
    told: steps.tell.output.startsWith('Tell the sums.'),
    ran: ran
      .slice(0, 5)
      .map(([call]) => call)
      .sort(),
    keys: ran.slice(0, 5).every(([call, key, hasSignal]) => key === `sums-${process.pid}:${call}` && hasSignal),
    attempts: ran.length - 5,
    failure: [failure.message, failure.type],
    refusal: [refusal.message, refusal.type],
    replays: [accepted, altered],
  }),
);
process.exit(0);
