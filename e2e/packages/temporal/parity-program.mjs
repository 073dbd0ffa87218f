/** Plays the conversations of `e2e/parity` on Temporal, in turn in one loop and the other, or `inBoth`, and tells in which runs the model was given other bytes than in a plain loop. */
import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import { temporalAgentActivities } from '@repertoire/skill-workflow/temporal';
import { inCodeSource } from './parity/sources/in-code.ts';
import { openLibraries } from './parity/sources/source.ts';
import { plainHost } from './parity/host.ts';

/** @param temporal what `on-temporal.mjs` gives */
export async function playParity({ client, startWorker }, inBoth) {
  const { provider } = await openLibraries(inCodeSource);
  const given = new Map();
  const activities = temporalAgentActivities({
    provider,
    model: async (call) => {
      const { workflowId } = Context.current().info.workflowExecution;
      given.set(workflowId, [...(given.get(workflowId) ?? []), call]);
    },
  });
  const taskQueue = `parity-${process.pid}`;
  const stop = await startWorker({ taskQueue, activities });
  const wrong = [];
  let calls = 0;
  const play = async (loop, variant) => {
    const reference = JSON.parse(JSON.stringify(await plainHost.play(provider, variant)));
    const workflowId = `${loop} ${variant} ${process.pid}`;
    await client.workflow.execute('parity', { taskQueue, workflowId, args: [loop, variant] });
    const told = given.get(workflowId);
    calls += told.length;
    // In their order, each once.
    const expected = reference.map((call, at) => ({ at, given: call }));
    if (!isDeepStrictEqual(told, expected)) wrong.push(workflowId);
  };
  const loops = ['core', 'AI SDK'];
  const plays = ['usual', 'unusual', 'extended'].flatMap((variant, place) =>
    loops.filter((_, turn) => inBoth || place % loops.length === turn).map((loop) => play(loop, variant)),
  );
  await Promise.all(plays);
  await stop();
  return { calls, wrong };
}
