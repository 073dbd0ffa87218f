/**
 * A process that runs workflows on DBOS, for tests that kill it. Settings come in the environment.
 *
 * It writes what its tools do into a ledger in the same database, and kills itself (SIGKILL) at the place that `KILL` names: `begin first`, `end first`, or
 * `recorded first` when DBOS has the result.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { executeWorkflow, parseWorkflow, progressLine, type WorkflowCallContext } from '../../src/index.ts';
import { dbosEngine, type DurableWorkflowRequest } from '../../src/dbos.ts';
import { testSkill } from './test-skill.ts';

const { DATABASE_URL: url, RUN: id = 'run', KILL: killAt, START } = process.env;
const ledger = new pg.Pool({ connectionString: url, max: 2 });
await ledger.query('create table if not exists ledger (n serial, run text, what text, key text)');

function dieAt(place: string): void {
  if (place === killAt) process.kill(process.pid, 'SIGKILL');
}

async function act<Value>({ call, idempotencyKey }: WorkflowCallContext, value: Value): Promise<Value> {
  await ledger.query('insert into ledger (run, what, key) values ($1, $2, $3)', [id, `begin ${call}`, idempotencyKey]);
  dieAt(`begin ${call}`);
  await ledger.query('insert into ledger (run, what, key) values ($1, $2, $3)', [id, `end ${call}`, idempotencyKey]);
  dieAt(`end ${call}`);
  return value;
}

const tools = {
  add: async ({ a, b }: Readonly<Record<string, unknown>>, context: WorkflowCallContext) =>
    await act(context, { sum: Number(a) + Number(b) }),
};
const durable = DBOS.registerWorkflow(
  async ({ workflow, input }: DurableWorkflowRequest) =>
    await executeWorkflow(workflow, {
      ...dbosEngine(DBOS),
      input,
      tools,
      generate: async ({ prompt }, context) => await act(context, `Asked: ${prompt.length} characters.`),
      // One after another, so that it is known what has finished when the process dies.
      concurrency: 1,
      onProgress: (progress) => {
        console.error(progressLine(progress));
        if (progress.type === 'step_finished') dieAt(`recorded ${progress.step}`);
        if (progress.type === 'branch_finished') dieAt(`recorded ${progress.step}/${progress.branch}`);
      },
    }),
  { name: 'skill-workflow' },
);
DBOS.setConfig({ name: 'workflow-tests', systemDatabaseUrl: url!, applicationVersion: '1', executorID: 'one', logLevel: 'error' });
await DBOS.launch();
const handle =
  START === undefined
    ? DBOS.retrieveWorkflow<{ output: unknown }>(id)
    : await DBOS.startWorkflow(durable, { workflowID: id })({
        workflow: parseWorkflow(testSkill, { tools: Object.keys(tools) }),
        input: { a: 1, b: 2 },
      });
const outcome = await handle.getResult({ pollingIntervalMs: 20 }).catch((error: unknown) => ({ failed: String(error) }));
console.log(JSON.stringify(outcome));
await DBOS.shutdown();
await ledger.end();
