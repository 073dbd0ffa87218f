import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { parseWorkflow } from '../../src/index.ts';
import { callsOfLoadSkill, loadApplication, loadQueue, loadSkill } from './load-skill.ts';

/** Options of {@link loadTest}. */
export interface LoadTestOptions {
  /** An empty PostgreSQL database. */
  readonly url: string;
  readonly workflows: number;
  readonly workers: number;
  /** A worker is killed each time so many workflows more have ended. */
  readonly killEvery: number;
  /** Where the choice of the workers to kill begins. */
  readonly seed: number;
  readonly report?: (line: string) => void;
}

/** What came of it. */
export interface LoadTestResult {
  readonly completed: number;
  /** Workflows that did not succeed. */
  readonly lost: number;
  /** Calls that ran again although their result was recorded. */
  readonly repeated: number;
  /** Calls that ran again because the process died before their result was recorded. */
  readonly interrupted: number;
  /** Side effects, of which each call has exactly one. */
  readonly effects: number;
  readonly kills: number;
  readonly seconds: number;
}

/** Runs workflows on several worker processes and kills them with SIGKILL. The last worker that is killed never comes back: the others take over its workflows. */
export async function loadTest({
  url,
  workflows,
  workers,
  killEvery,
  seed,
  report = () => undefined,
}: LoadTestOptions): Promise<LoadTestResult> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  await pool.query('create table attempts (key text not null, began_ms bigint not null); create table effects (key text primary key)');
  const running = new Map<string, ChildProcess>();
  const start = (executor: string): void => {
    const child = spawn(process.execPath, ['--conditions=@repertoire/source', join(import.meta.dirname, 'worker.ts')], {
      env: { ...process.env, DATABASE_URL: url, EXECUTOR: executor, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    running.set(executor, child);
  };
  const kill = async (executor: string): Promise<void> => {
    const child = running.get(executor);
    running.delete(executor);
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  const names = Array.from({ length: workers }, (_, index) => `worker-${index + 1}`);
  await DBOS.migrate(url);
  const client = await DBOSClient.create({ systemDatabaseUrl: url, applicationName: loadApplication.name });
  await client.registerQueue(loadQueue, { workerConcurrency: 10, minPollingIntervalMs: 100, applicationName: loadApplication.name });
  const began = performance.now();
  try {
    const workflow = parseWorkflow(loadSkill, { tools: ['act'] });
    for (let order = 0; order < workflows; order += 1) {
      const options = {
        queueName: loadQueue,
        workflowName: 'skill-workflow',
        workflowID: `order-${order}`,
        appVersion: loadApplication.applicationVersion,
      };
      await client.enqueue(options, { workflow, input: { order } });
    }
    for (const name of names) start(name);

    let kills = 0;
    let state = seed;
    let completed = 0;
    let lostWorker: string | undefined;
    for (let next = killEvery; completed < workflows;) {
      await later(20);
      const counts = await pool.query<{ count: string }>(`select count(*) from dbos.workflow_status where status = 'SUCCESS'`);
      completed = Number(counts.rows[0]?.count);
      if (completed < next || completed >= workflows) continue;
      next += killEvery;
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      const alive = names.filter((name) => name !== lostWorker);
      const victim = alive[Math.floor(state / 65_536) % alive.length] ?? '';
      await kill(victim);
      kills += 1;
      // Half way, one machine is gone for good.
      if (lostWorker === undefined && workers > 1 && completed >= workflows / 2) {
        lostWorker = victim;
        const orphans = await client.listWorkflows({ executorId: victim, status: 'PENDING', loadInput: false });
        await client.resumeWorkflows(orphans.map(({ workflowID }) => workflowID));
        report(`${completed} of ${workflows} done; killed ${victim} for good, others take over its ${orphans.length} workflows`);
      } else {
        start(victim);
        report(`${completed} of ${workflows} done; killed ${victim}, which starts again`);
      }
    }
    const seconds = (performance.now() - began) / 1000;
    return { completed, kills, seconds, ...(await countOf(pool, workflows, completed)) };
  } finally {
    for (const name of names) await kill(name);
    await client.destroy();
    await pool.end();
  }
}

async function countOf(
  pool: pg.Pool,
  workflows: number,
  completed: number,
): Promise<Pick<LoadTestResult, 'lost' | 'repeated' | 'interrupted' | 'effects'>> {
  const count = async (query: string): Promise<number> => Number((await pool.query<{ count: string }>(`select ${query}`)).rows[0]?.count);
  const attempts = await count('count(*) from attempts');
  const calls = await count('count(distinct key) from attempts');
  const effects = await count('count(*) from effects');
  // An attempt that began after DBOS had the result of the call. It writes the time before it writes the row.
  const repeated = await count(
    `count(*) from attempts join dbos.operation_outputs on key = workflow_uuid || ':' || function_name where began_ms > completed_at_epoch_ms`,
  );
  return { lost: workflows - completed, repeated, interrupted: attempts - calls - repeated, effects };
}

export const effectsOf = (workflows: number): number => workflows * callsOfLoadSkill;
