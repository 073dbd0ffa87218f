/**
 * 1,000 workflows on 4 worker processes that are killed at random; prints what came of it, and fails if anything was lost or repeated.
 *
 * `pnpm --filter @repertoire/skill-workflow load`; `WORKFLOWS`, `WORKERS`, `KILL_EVERY`, `SEED` change it. `DATABASE_URL` names an empty database; without it, a private
 * cluster of the installed PostgreSQL is started.
 */
import { installedPostgres, startPostgres } from '../../../../test/support/postgres.ts';
import { effectsOf, loadTest } from './load-test.ts';

const { WORKFLOWS = '1000', WORKERS = '4', KILL_EVERY = '50', SEED = '1', DATABASE_URL } = process.env;
const programs = installedPostgres();
if (DATABASE_URL === undefined && programs === undefined) {
  console.error('No PostgreSQL is installed. Install it, or name an empty database in DATABASE_URL.');
  process.exit(1);
}
const own = DATABASE_URL === undefined && programs !== undefined ? await startPostgres(programs) : undefined;
const workflows = Number(WORKFLOWS);
const result = await loadTest({
  url: DATABASE_URL ?? own?.url ?? '',
  workflows,
  workers: Number(WORKERS),
  killEvery: Number(KILL_EVERY),
  seed: Number(SEED),
  report: (line) => console.log(line),
});
await own?.[Symbol.asyncDispose]();
const { completed, lost, repeated, interrupted, effects, kills, seconds } = result;
console.log(
  `${workflows} workflows, ${WORKERS} workers, ${kills} kills, ${seconds.toFixed(1)} s (${(completed / seconds).toFixed(0)} workflows a second)`,
);
console.log(`completed ${completed}, lost ${lost}, repeated ${repeated}`);
console.log(`calls that were cut and ran again: ${interrupted}; side effects: ${effects} of ${effectsOf(workflows)}`);
process.exitCode = lost === 0 && repeated === 0 && effects === effectsOf(workflows) ? 0 : 1;
