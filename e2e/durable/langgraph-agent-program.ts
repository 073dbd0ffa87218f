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
import { ledgerWorlds, type PlacedRun } from './ledger-world.ts';
import { refundAgent, refundSkills, type Loop, type RefundResult } from './refund-agent.ts';

/** A run, and the place where it stops. */
export interface LangGraphAgentRun extends PlacedRun {
  readonly loop: Loop;
}

const { DATABASE_URL: url = '', RUNS = '[]', HOLD } = process.env;
const runs = JSON.parse(RUNS) as readonly LangGraphAgentRun[];
const ledger = new pg.Pool({ connectionString: url, max: 2 });
const { worldOf, end } = await ledgerWorlds(runs, ledger, HOLD !== undefined);

const saver = PostgresSaver.fromConnString(url);
await saver.setup();
const agent = entrypoint(
  { name: 'agent', checkpointer: saver },
  async (run: LangGraphAgentRun, config) => await refundAgent(run.loop, langGraphEngine(config), worldOf(run), refundSkills()),
);

async function play(run: LangGraphAgentRun): Promise<RefundResult> {
  const result = await agent.invoke(HOLD === undefined ? null : run, { configurable: { thread_id: run.id } });
  end(run);
  return result;
}

const results = await Promise.all(runs.map(async (run) => [run.id, await play(run)] as const));
console.log(JSON.stringify(Object.fromEntries(results)));
await saver.end();
await ledger.end();
