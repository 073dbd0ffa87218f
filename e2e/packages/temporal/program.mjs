/** Runs workflow skills on Temporal, and prints what came of it as one line of JSON. A worker is replaced in the middle. */
import { once } from 'node:events';
import { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { parseWorkflow } from '@repertoire/skill-workflow';
import { temporalActivities } from '@repertoire/skill-workflow/temporal';
import { ruleWorkflow } from './durable/rule-workflow.ts';
import { onTemporal } from './on-temporal.mjs';

const skill = {
  name: 'sums',
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
    { name: 'fan', tools: ['x', 'y', 'z'].map((name, b) => ({ name, tool: 'add', input: { a: '$.steps.first.output.sum', b } })) },
    { name: 'tell', prompt: 'Tell the sums.', input: { sums: '$.steps.fan.output' } },
  ],
};
const workflow = parseWorkflow(skill, { tools: ['add'], allowUntrusted: true });

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
      await never(signal);
    }
    return { sum: Number(a) + Number(b) };
  },
};
const never = async (signal) => {
  await once(signal, 'abort');
  signal.throwIfAborted();
};
const ruled = [];
const ranTooLong = { begun: 0, canceled: [] };
const heldRule = Promise.withResolvers();
/** Fails as often as Temporal tries, so that the step has to. */
tools.pay = async ({ order }, { call, signal }) => {
  ruled.push(call);
  if (order === 'never') {
    ranTooLong.begun += 1;
    try {
      await never(signal);
    } catch (error) {
      ranTooLong.canceled.push(error.message);
      throw error;
    }
  }
  if (ruled.filter((each) => each === call).length <= 3) throw new Error('Busy.');
  if (call === 'pay/1' && hold !== undefined) {
    heldRule.resolve();
    await never(signal);
  }
  return order;
};
const approve = async ({ input }, { call }) => {
  ruled.push(call);
  return input.orders.length > 0;
};
const activities = temporalActivities({ tools, generate: async ({ prompt }) => prompt, approve, current: () => Context.current() });

await onTemporal('workflows.mjs', async ({ client, workflowBundle, startWorker, workerDied }) => {
  const taskQueue = `skills-${process.pid}`;
  // Without a cache, a workflow is replayed at each of its tasks.
  const options = { taskQueue, activities, maxCachedWorkflows: 0 };
  const start = async (workflowId, input) =>
    await client.workflow.start('skillWorkflow', { taskQueue, workflowId, args: [{ workflow, input }] });
  const startRules = async (name, orders, timeoutMs = 600_000) =>
    await client.workflow.start('skillWorkflow', {
      taskQueue,
      workflowId: `${name}-${process.pid}`,
      args: [{ workflow: ruleWorkflow(timeoutMs), input: { orders, no: false } }],
    });

  let stop = await startWorker(options);
  const handle = await start(`sums-${process.pid}`, { a: 1, b: 2 });
  const rules = await startRules('rules', ['A', 'B']);
  await Promise.all([held.promise, heldRule.promise]);
  // Its siblings have ended: what is recorded by now does not run again.
  while (ran.length < 4 || ruled.length < 9) await new Promise((resolve) => setImmediate(resolve));
  await stop();
  hold = undefined;
  workerDied();
  stop = await startWorker(options);
  const { steps } = await handle.result();

  const failed = await start(`fails-${process.pid}`, { a: 'broken', b: 1 });
  const failure = await failed.result().catch((error) => error.cause);
  const ended = { output: (await rules.result()).output, ran: ruled.toSorted() };
  const no = await (await startRules('no', [])).result().catch((error) => error.cause);
  const lateRun = await startRules('late', ['never'], 1);
  const late = await lateRun.result().catch((error) => error.cause);
  const { events } = await lateRun.fetchHistory();
  const cancellations = events.filter((event) => event.activityTaskCancelRequestedEventAttributes).length;
  // Their worker is told in answer to its heartbeats.
  while (ranTooLong.canceled.length < Math.min(cancellations, ranTooLong.begun)) await new Promise((resolve) => setImmediate(resolve));
  const refused = await start(`refused-${process.pid}`, { a: 1 });
  const refusal = await refused.result().catch((error) => error.cause);
  await stop();

  const history = await handle.fetchHistory();
  const replay = async (given) =>
    await Worker.runReplayHistory({ workflowBundle }, given).then(
      () => 'accepted',
      (error) => error.name,
    );
  const accepted = [await replay(history), await replay(await rules.fetchHistory())];
  const scheduled = history.events.find((event) => event.activityTaskScheduledEventAttributes);
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'other';
  const altered = await replay(history);
  return {
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
    rules: { ...ended, no: [no.message, no.type], late: late.message },
    cancellations,
    // A real server has closed the run by then, so that its activities are found no more.
    canceled: ranTooLong.canceled.every((reason) => reason === 'CANCELLED' || reason === 'NOT_FOUND'),
    replays: [...accepted, altered],
  };
});
