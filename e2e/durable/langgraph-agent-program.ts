/**
 * A process that runs durable agents in LangGraph's functional API, with checkpoints in PostgreSQL, for tests that kill it. Settings come in the environment:
 *
 * - `DATABASE_URL`: PostgreSQL.
 * - `RUNS`: JSON, the runs.
 * - `HOLD`: starts them; each stops at its place, and when all have, the process kills itself by SIGKILL. Without it, they go on from their checkpoints.
 *
 * It prints how the runs ended.
 */
import { entrypoint } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { langGraphEngine } from '@repertoire/skill-workflow/langgraph';
import pg from 'pg';
import { refundAgent, refundSkills, type Loop, type RefundResult } from './refund-agent.ts';
import { isSettled, type World } from './world.ts';

/** A run, and the place where it stops. */
export interface LangGraphAgentRun {
  readonly id: string;
  readonly loop: Loop;
  readonly place?: string;
}

const { DATABASE_URL: url = '', RUNS = '[]', HOLD } = process.env;
const runs = JSON.parse(RUNS) as readonly LangGraphAgentRun[];
const ledger = new pg.Pool({ connectionString: url, max: 2 });
await ledger.query('create table if not exists agent_ledger (n serial, run text, what text, bytes text)');
await ledger.query('create table if not exists effects (run text, key text, primary key (run, key))');

const notes = new Map<string, string[]>(runs.map(({ id }) => [id, []]));
/** Those that have no place to be held at have ended by then. */
function dieWhenAllAreHeld(): void {
  const isReady = ({ id, place }: LangGraphAgentRun): boolean => {
    const told = notes.get(id) ?? [];
    return place === undefined ? told.includes('done') : isSettled(place, told);
  };
  if (HOLD !== undefined && runs.every(isReady)) process.kill(process.pid, 'SIGKILL');
}

function worldOf({ id, place }: LangGraphAgentRun): World {
  return {
    async note(what, bytes = '') {
      await ledger.query('insert into agent_ledger (run, what, bytes) values ($1, $2, $3)', [id, what, bytes]);
      notes.get(id)?.push(what);
      dieWhenAllAreHeld();
    },
    async act(key) {
      await ledger.query('insert into effects (run, key) values ($1, $2) on conflict do nothing', [id, key]);
    },
    async hold(at) {
      if (HOLD === undefined || at !== place) return;
      notes.get(id)?.push(`held ${at}`);
      dieWhenAllAreHeld();
      await new Promise(() => {});
    },
  };
}

const saver = PostgresSaver.fromConnString(url);
await saver.setup();
const engine = langGraphEngine(saver);
const agent = entrypoint(
  { name: 'agent', checkpointer: engine.checkpointer },
  async (run: LangGraphAgentRun, config) => await refundAgent(run.loop, engine.forRun(config), worldOf(run), refundSkills()),
);

async function play(run: LangGraphAgentRun): Promise<RefundResult> {
  const result = await agent.invoke(HOLD === undefined ? null : run, { configurable: { thread_id: run.id } });
  notes.get(run.id)?.push('done');
  dieWhenAllAreHeld();
  return result;
}

const results = await Promise.all(runs.map(async (run) => [run.id, await play(run)] as const));
console.log(JSON.stringify(Object.fromEntries(results)));
await saver.end();
await ledger.end();
