/** Runs agents with skills on Temporal. One run is held in each activity, in turn of one loop and the other; then their worker is replaced. `inBoth` holds both loops in each. */
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { SkillRegistry } from '@repertoire/skills-core';
import { aiSdkAnswer } from '@repertoire/skill-workflow/ai-sdk';
import { temporalAgentActivities } from '@repertoire/skill-workflow/temporal';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';

const provider = new SkillRegistry({
  skills: [
    {
      name: 'refunds',
      description: 'Refunds money.',
      body: 'First charge, then mail.',
      tools: ['charge'],
      resources: { 'references/policy.md': 'Policy: größer als null.' },
    },
  ],
});
const call = (turn, toolName, input = {}) => ({ toolCallId: `${turn}-${toolName}`, toolName, input });
/** Answers by what it reads: a count of its calls would die with the process. */
const answerTo = (turn) =>
  [
    { toolCalls: [call(0, 'charge')] },
    { toolCalls: [call(1, 'load_skill', { name: 'refunds' })] },
    {
      toolCalls: [
        call(2, 'charge'),
        call(2, 'mail'),
        call(2, 'read_skill_file', { skill: 'refunds', path: 'references/policy.md' }),
        call(2, 'fail'),
      ],
    },
  ][turn] ?? { text: 'Refunded.' };

/** By the id of the run: which activities began, what the model read in each turn, what happened in the world. */
const runs = new Map();
const runOf = (id) => {
  if (!runs.has(id)) runs.set(id, { began: [], read: {}, effects: new Set(), running: 0, held: false });
  return runs.get(id);
};
const workflowId = () => Context.current().info.workflowExecution.workflowId;
const read = (turn, bytes) => {
  const text = JSON.stringify(bytes);
  const { read: all } = runOf(workflowId());
  all[turn] = [...new Set([...(all[turn] ?? []), text])];
};
const effect =
  (name) =>
  (_input, { idempotencyKey }) => {
    runOf(workflowId()).effects.add(idempotencyKey.slice(idempotencyKey.indexOf(':')));
    return `${name} ok`;
  };
const sdkModel = scriptedModel(({ prompt, tools }) => {
  const turn = prompt.filter(({ role }) => role === 'tool').length;
  read(turn, { prompt, tools });
  return answerTo(turn);
});
const plain = temporalAgentActivities({
  provider,
  tools: {
    charge: effect('charge'),
    mail: effect('mail'),
    fail: () => {
      throw new TypeError('No seats.');
    },
  },
  model: async (request, signal) => {
    if (!('system' in request)) return await aiSdkAnswer(sdkModel, request, signal);
    read(request.turn, request);
    return answerTo(request.turn);
  },
  current: () => Context.current(),
});

/** Held in an activity, when it has acted: `run-<n>` in activity n. Later workers hold nobody. */
let holds = true;
const activities = Object.fromEntries(
  Object.entries(plain).map(([name, run]) => [
    name,
    async (...input) => {
      const { info, cancellationSignal } = Context.current();
      const own = runOf(info.workflowExecution.workflowId);
      own.began.push(`${info.activityId} ${name}`);
      own.running += 1;
      try {
        const result = await run(...input);
        if (holds && info.workflowExecution.workflowId.endsWith(`-${info.activityId}`)) {
          own.held = true;
          await once(cancellationSignal, 'abort');
          cancellationSignal.throwIfAborted();
        }
        return result;
      } finally {
        own.running -= 1;
      }
    },
  ]),
);

/** @param temporal what `on-temporal.mjs` gives */
export async function playAgents({ client, workflowBundle, startWorker, workerDied }, inBoth) {
  const taskQueue = `agents-${process.pid}`;
  const start = async (type, run) =>
    await client.workflow.start(type, { taskQueue, workflowId: `${type}-${process.pid}-${run}`, args: [] });

  let stop = await startWorker({ taskQueue, activities });
  const types = ['coreAgent', 'sdkAgent'];
  const calm = {};
  const held = [];
  for (const [turn, type] of types.entries()) {
    const handle = await start(type, 'calm');
    calm[type] = { result: await handle.result(), ...runOf(handle.workflowId) };
    // The tool that fails is tried three times, and never gets to where it would be held.
    const single = calm[type].began.filter((each, _index, all) => all.filter((other) => other === each).length === 1);
    for (const [place, each] of single.entries()) {
      const [index] = each.split(' ');
      if (inBoth || place % types.length === turn) held.push({ type, index, handle: await start(type, index) });
    }
  }
  const settled = () =>
    held.every(({ handle }) => {
      const { held: isHeld, running } = runOf(handle.workflowId);
      return isHeld && running === 1;
    });
  for (let calmTurns = 0; calmTurns < 200; calmTurns = settled() ? calmTurns + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 1));
  await stop();
  holds = false;
  workerDied();
  stop = await startWorker({ taskQueue, activities });

  const wrong = [];
  const replays = new Set();
  const histories = [];
  for (const { type, index, handle } of held) {
    const result = await handle.result();
    const { began, read: bytes, effects } = runOf(handle.workflowId);
    // The one that was cut, again.
    const expected = [...calm[type].began, calm[type].began.find((each) => each.startsWith(`${index} `))];
    const same =
      isDeepStrictEqual(result, calm[type].result) &&
      isDeepStrictEqual(bytes, calm[type].read) &&
      isDeepStrictEqual(effects, calm[type].effects) &&
      isDeepStrictEqual([...began].sort(), expected.sort());
    if (!same) wrong.push({ type, index, result, began });
    histories.push({ workflowId: handle.workflowId, history: await handle.fetchHistory() });
  }
  await stop();
  for (const history of [histories, [altered(histories.at(-1))]]) {
    for await (const { error } of Worker.runReplayHistories({ workflowBundle }, history))
      replays.add(error === undefined ? 'accepted' : error.name);
  }
  return {
    runs: held.length,
    results: types.map((type) => calm[type].result),
    turns: types.map((type) => Object.values(calm[type].read).map(({ length }) => length)),
    effects: types.map((type) => [...calm[type].effects].sort()),
    activities: types.map((type) => calm[type].began.length),
    wrong,
    replays: [...replays],
  };
}

/** The history of a run that called another activity in the end. */
function altered({ history, ...run }) {
  const scheduled = history.events.filter((event) => event.activityTaskScheduledEventAttributes).at(-1);
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'other';
  return { ...run, history };
}
