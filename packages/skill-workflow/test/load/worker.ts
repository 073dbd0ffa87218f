/** A worker of the load test: takes workflows from the queue until it is killed. `EXECUTOR` is its name, which a successor takes over together with its workflows. */
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { dbosEngine, type DurableWorkflowRequest } from '../../src/dbos.ts';
import { executeWorkflow, type WorkflowCallContext } from '../../src/index.ts';
import { loadApplication } from './load-skill.ts';

const { DATABASE_URL: url, EXECUTOR: executorID } = process.env;
const pool = new pg.Pool({ connectionString: url, max: 3 });
// Whoever kills a worker may close its connections at any time.
pool.on('error', () => undefined);

/** A side effect with an idempotency key, and a diary of every attempt. */
async function act({ idempotencyKey, call }: WorkflowCallContext): Promise<string> {
  await pool.query('insert into attempts (key, began_ms) values ($1, $2)', [idempotencyKey, Date.now()]);
  await pool.query('insert into effects (key) values ($1) on conflict do nothing', [idempotencyKey]);
  return `${call} done`;
}

DBOS.registerWorkflow(
  async ({ workflow, input }: DurableWorkflowRequest) =>
    await executeWorkflow(workflow, {
      ...dbosEngine(DBOS),
      input,
      tools: { act: async (_input, context) => await act(context) },
      generate: async (_request, context) => await act(context),
    }),
  { name: 'skill-workflow' },
);
DBOS.setConfig({ ...loadApplication, systemDatabaseUrl: url!, executorID: executorID!, logLevel: 'error' });
await DBOS.launch();
