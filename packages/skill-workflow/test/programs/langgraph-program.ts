/** A process that runs a workflow as a graph with checkpoints in PostgreSQL, for tests that kill it: at `KILL`, as `begin first` or `end first`. */
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { parseWorkflow, type WorkflowCallContext } from '../../src/index.ts';
import { workflowGraph } from '../../src/langgraph.ts';
import { testSkill } from './test-skill.ts';

const { DATABASE_URL: url, RUN: id = 'run', KILL: killAt, START } = process.env;
const ledger = new pg.Pool({ connectionString: url, max: 2 });
await ledger.query('create table if not exists graph_ledger (n serial, run text, what text, key text)');

async function act<Value>({ call, idempotencyKey }: WorkflowCallContext, value: Value): Promise<Value> {
  // The branch that is killed ends after its siblings are recorded.
  while (call === 'fan/y' && (await recordedBranches()) < 2);
  for (const what of [`begin ${call}`, `end ${call}`]) {
    await ledger.query('insert into graph_ledger (run, what, key) values ($1, $2, $3)', [id, what, idempotencyKey]);
    if (what === killAt) process.kill(process.pid, 'SIGKILL');
  }
  return value;
}

/** Each branch that ended has sent its token to the node behind the fan-out. */
async function recordedBranches(): Promise<number> {
  const query = `select count(*) from checkpoint_writes where thread_id = $1 and channel = 'branch:to:run last'`;
  return Number((await ledger.query<{ count: string }>(query, [id])).rows[0]?.count);
}

const saver = PostgresSaver.fromConnString(url!);
await saver.setup();
const graph = workflowGraph(parseWorkflow(testSkill), {
  tools: { add: async ({ a, b }, context) => await act(context, { sum: Number(a) + Number(b) }) },
  generate: async ({ prompt }, context) => await act(context, `Asked: ${prompt.length} characters.`),
  checkpointer: saver,
});
const config = { configurable: { thread_id: id }, durability: 'sync' as const, maxConcurrency: 2 };
const { output, outputs } = await graph.invoke(START === undefined ? null : { input: { a: 1, b: 2 } }, config);
console.log(JSON.stringify({ output, outputs }));
await saver.end();
await ledger.end();
