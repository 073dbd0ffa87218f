import type { Pool } from 'pg';
import { isSettled, type World } from './world.ts';

/** A run, and the place where it stops. */
export interface PlacedRun {
  readonly id: string;
  readonly place?: string;
}

/** The worlds of the runs of one process. */
export interface LedgerWorlds {
  worldOf(run: PlacedRun): World;
  /** Tells that a run has ended. */
  end(run: PlacedRun): void;
}

/**
 * Worlds whose notes and effects are rows of PostgreSQL, so that they outlive the process.
 *
 * @param holds whether each run stops at its place; when all have, the process kills itself by SIGKILL
 */
export async function ledgerWorlds(runs: readonly PlacedRun[], ledger: Pool, holds: boolean): Promise<LedgerWorlds> {
  await ledger.query('create table if not exists agent_ledger (n serial, run text, what text, bytes text)');
  await ledger.query('create table if not exists effects (run text, key text, primary key (run, key))');
  const notes = new Map<string, string[]>(runs.map(({ id }) => [id, []]));
  const isReady = ({ id, place }: PlacedRun): boolean => {
    const told = notes.get(id) ?? [];
    // Those that have no place to be held at have ended by then.
    return place === undefined ? told.includes('done') : isSettled(place, told);
  };
  const tell = (id: string, what: string): void => {
    notes.get(id)?.push(what);
    if (holds && runs.every(isReady)) process.kill(process.pid, 'SIGKILL');
  };
  return {
    worldOf: ({ id, place }) => ({
      async note(what, bytes = '') {
        await ledger.query('insert into agent_ledger (run, what, bytes) values ($1, $2, $3)', [id, what, bytes]);
        tell(id, what);
      },
      async act(key) {
        await ledger.query('insert into effects (run, key) values ($1, $2) on conflict do nothing', [id, key]);
      },
      async hold(at) {
        if (!holds || at !== place) return;
        tell(id, `held ${at}`);
        await new Promise(() => {});
      },
    }),
    end: ({ id }) => tell(id, 'done'),
  };
}
