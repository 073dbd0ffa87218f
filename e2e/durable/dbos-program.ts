/**
 * A process that runs agents as workflows of DBOS, for tests that kill it. Settings come in the environment:
 *
 * - `DATABASE_URL`: PostgreSQL. `FOLDER`: or a database inside this process, kept in that folder.
 * - `RUNS`: JSON, the runs. `START`: starts them; else they are recovered by `launch()`.
 * - `HOLD`: each run stops at its place, and when all have, the process kills itself by SIGKILL.
 * - `BODY`: the body of the skill in this process.
 *
 * It prints how the runs ended.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { dbosEngine } from '@repertoire/skill-workflow/dbos';
import pg from 'pg';
import { ledgerWorlds, type PlacedRun } from './ledger-world.ts';
import { refundAgent, refundSkills, type Loop, type RefundResult } from './refund-agent.ts';

/** A run, and the place where it stops. */
export interface DbosRun extends PlacedRun {
  readonly loop: Loop;
}

const { DATABASE_URL, FOLDER, RUNS = '[]', START, HOLD, BODY } = process.env;
const runs = JSON.parse(RUNS) as readonly DbosRun[];
const embedded =
  FOLDER === undefined ? undefined : await (await import('@repertoire/skill-workflow/pglite')).embeddedPostgres({ folder: FOLDER });
const url = embedded?.url ?? DATABASE_URL ?? '';
const ledger = new pg.Pool({ connectionString: url, max: 2 });
const { worldOf, end } = await ledgerWorlds(runs, ledger, HOLD !== undefined);

const durable = DBOS.registerWorkflow(
  async (run: DbosRun): Promise<RefundResult> => {
    const result = await refundAgent(run.loop, dbosEngine(DBOS), worldOf(run), refundSkills(BODY));
    end(run);
    return result;
  },
  { name: 'agent' },
);
DBOS.setConfig({ name: 'agent-tests', systemDatabaseUrl: url, applicationVersion: '1', executorID: 'one', logLevel: 'error' });
await DBOS.launch();
if (START !== undefined) for (const run of runs) await DBOS.startWorkflow(durable, { workflowID: run.id })(run);
const ended: Record<string, RefundResult> = {};
for (const { id } of runs) ended[id] = await DBOS.retrieveWorkflow<RefundResult>(id).getResult({ pollingIntervalMs: 20 });
console.log(JSON.stringify(ended));
await DBOS.shutdown();
await ledger.end();
await embedded?.[Symbol.asyncDispose]();
