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
import { refundAgent, refundSkills, type Loop, type RefundResult } from './refund-agent.ts';
import { isSettled, type World } from './world.ts';

/** A run, and the place where it stops. */
export interface DbosRun {
  readonly id: string;
  readonly loop: Loop;
  readonly place?: string;
}

const { DATABASE_URL, FOLDER, RUNS = '[]', START, HOLD, BODY } = process.env;
const runs = JSON.parse(RUNS) as readonly DbosRun[];
const embedded =
  FOLDER === undefined ? undefined : await (await import('@repertoire/skill-workflow/pglite')).embeddedPostgres({ folder: FOLDER });
const url = embedded?.url ?? DATABASE_URL ?? '';
const ledger = new pg.Pool({ connectionString: url, max: 2 });
await ledger.query('create table if not exists agent_ledger (n serial, run text, what text, bytes text)');
await ledger.query('create table if not exists effects (key text primary key)');

const notes = new Map<string, string[]>(runs.map(({ id }) => [id, []]));
/** Those that have no place to be held at have ended by then. */
function dieWhenAllAreHeld(): void {
  const isReady = ({ id, place }: DbosRun): boolean => {
    const told = notes.get(id) ?? [];
    return place === undefined ? told.includes('done') : isSettled(place, told);
  };
  if (HOLD !== undefined && runs.every(isReady)) process.kill(process.pid, 'SIGKILL');
}

function worldOf({ id, place }: DbosRun): World {
  return {
    async note(what, bytes = '') {
      await ledger.query('insert into agent_ledger (run, what, bytes) values ($1, $2, $3)', [id, what, bytes]);
      notes.get(id)?.push(what);
      dieWhenAllAreHeld();
    },
    async act(key) {
      await ledger.query('insert into effects (key) values ($1) on conflict do nothing', [key]);
    },
    async hold(at) {
      if (HOLD === undefined || at !== place) return;
      notes.get(id)?.push(`held ${at}`);
      dieWhenAllAreHeld();
      await new Promise(() => {});
    },
  };
}

const durable = DBOS.registerWorkflow(
  async (run: DbosRun): Promise<RefundResult> => {
    const result = await refundAgent(run.loop, dbosEngine(DBOS), worldOf(run), refundSkills(BODY));
    notes.get(run.id)?.push('done');
    dieWhenAllAreHeld();
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
