/**
 * A service of Restate that runs agents and workflow skills, for tests that kill it. Settings come in the environment:
 *
 * - `PORT`: where it listens. It prints a line when it does.
 * - `LEDGER`: the file that it writes what happens to.
 * - `RUNS`: JSON, the runs that are expected, and the place where each stops.
 * - `HOLD`: each run stops at its place, and when all have, the process kills itself by SIGKILL.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import {
  restateEngine,
  runRestateWorkflow,
  type DurableWorkflowRequest,
  type RestateContextLike,
  type RestateStepConfiguration,
} from '@repertoire/skill-workflow/restate';
import { refundAgent, refundSkills, type Loop } from './refund-agent.ts';
import { ruleSteps } from './rule-workflow.ts';
import { sumSteps, sumWorkflow } from './sum-workflow.ts';
import { isSettled, type StepGroups, type World } from './world.ts';

/** A run, and the place where it stops. */
export interface RestateRun {
  readonly id: string;
  /** The loop of an agent, or a workflow skill. */
  readonly what: Loop | 'sums' | 'rules';
  readonly place?: string;
}

const { PORT, LEDGER = '', RUNS = '[]', HOLD } = process.env;
const runs = JSON.parse(RUNS) as readonly RestateRun[];
/** The steps of the workflow skills. An agent has its own. */
const groups: Partial<Record<RestateRun['what'], StepGroups>> = { sums: sumSteps, rules: ruleSteps };
const notes = new Map<string, string[]>(runs.map(({ id }) => [id, []]));

/** Those that have no place to be held at have ended by then. */
function dieWhenAllAreHeld(): void {
  const isReady = ({ id, what, place }: RestateRun): boolean => {
    const told = notes.get(id) ?? [];
    return place === undefined ? told.includes('done') : isSettled(place, told, groups[what]);
  };
  if (HOLD !== undefined && runs.every(isReady)) process.kill(process.pid, 'SIGKILL');
}

const write = (line: object): void => appendFileSync(LEDGER, `${JSON.stringify(line)}\n`);

function worldOf(id: string): World {
  const { place } = runs.find((run) => run.id === id) ?? {};
  return {
    async note(what, bytes = '') {
      write({ id, what, bytes });
      notes.get(id)?.push(what);
      dieWhenAllAreHeld();
    },
    async act(key) {
      write({ id, effect: key });
    },
    async hold(at) {
      if (HOLD === undefined || at !== place) return;
      notes.get(id)?.push(`held ${at}`);
      dieWhenAllAreHeld();
      await new Promise(() => {});
    },
  };
}

async function done<Value>(id: string, running: Promise<Value>): Promise<Value> {
  const value = await running;
  notes.get(id)?.push('done');
  dieWhenAllAreHeld();
  return value;
}

const agent = restate.workflow({
  name: 'agent',
  handlers: {
    run: async (context: restate.WorkflowContext, loop: Loop) =>
      await done(context.key, refundAgent(loop, restateEngine(restate, context, context.key), worldOf(context.key), refundSkills())),
  },
});

/** A context whose steps write what they do into the ledger, and can be killed. */
function watchedContext(context: restate.WorkflowContext, world: World): RestateContextLike {
  return {
    request: () => context.request(),
    run<Value>(name: string, work: () => Promise<Value>, options: RestateStepConfiguration) {
      const recorded = context.run(
        name,
        async () => {
          await world.note(`begin ${name}`);
          const result = await work();
          await world.hold(`in ${name}`);
          return result;
        },
        options,
      );
      const behind = async (value: Value): Promise<Value> => {
        await world.note(`end ${name}`);
        await world.hold(`behind ${name}`);
        return value;
      };
      // Whoever resolves a promise with another one waits for that.
      const map = recorded.map.bind(recorded);
      const mapBehind: typeof map = (mapper) =>
        map((value, failure) => mapper(failure === undefined ? (behind(value as Value) as Value) : value, failure));
      return Object.assign(recorded, { map: mapBehind });
    },
  };
}

const sums = restate.workflow({
  name: 'sums',
  handlers: {
    async run(context: restate.WorkflowContext, input: Readonly<Record<string, unknown>>) {
      const world = worldOf(context.key);
      const running = runRestateWorkflow(
        restate,
        watchedContext(context, world),
        context.key,
        // The skill has changed when another process goes on.
        { workflow: sumWorkflow(HOLD === undefined ? 'New.' : 'Old.'), input },
        {
          ...(input['b'] === 7 && { concurrency: 1 }),
          ...(input['tries'] !== undefined && { step: { maxRetryAttempts: Number(input['tries']), initialRetryInterval: 1 } }),
          tools: {
            async add({ a, b }, { idempotencyKey = '', signal }) {
              await world.act(idempotencyKey);
              if (a === 'broken' || a === b) throw new Error('No numbers.');
              if (a === 'wait' || a === 7) {
                write({ id: context.key, waits: true });
                await new Promise((resolve) => signal?.addEventListener('abort', resolve));
                write({ id: context.key, aborted: true });
                signal?.throwIfAborted();
              }
              return { sum: Number(a) + Number(b) };
            },
          },
          generate: async ({ prompt }) => prompt,
        },
      );
      return await done(context.key, running);
    },
  },
});

const rules = restate.workflow({
  name: 'rules',
  handlers: {
    async run(context: restate.WorkflowContext, request: DurableWorkflowRequest) {
      const world = worldOf(context.key);
      const running = runRestateWorkflow(restate, watchedContext(context, world), context.key, request, {
        tools: {
          async pay({ order }, { attempt, idempotencyKey = '', signal }) {
            await world.act(idempotencyKey);
            if (attempt === 1) throw new Error('Busy.');
            if (order === 'never') await new Promise((resolve) => signal?.addEventListener('abort', resolve));
            return order;
          },
        },
        async approve({ input }, { idempotencyKey = '' }) {
          await world.act(idempotencyKey);
          return (input['orders'] as readonly unknown[]).length > 0;
        },
      });
      return await done(context.key, running);
    },
  },
});

createServer(restate.createEndpointHandler({ services: [agent, sums, rules], logger: () => {} })).listen(Number(PORT), '127.0.0.1', () =>
  console.log('listening'),
);
