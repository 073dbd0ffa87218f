/**
 * Runs workflow skills on every engine, alone and inside of agents, kills their processes by
 * SIGKILL and changes the skill each time, until all have ended. As a program:
 * `node --conditions=@repertoire/source e2e/durable/workflow-kills.ts RUNS [SEED] [KIND…]`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres } from '../../test/support/postgres.ts';
import { runProgram } from '../../test/support/run-program.ts';
import { hasRestate, startRestate } from './restate-server.ts';
import { killedRuns, kinds, problemsOf, sharedKeys, type KillEntry, type KilledRun } from './workflow-kill-runs.ts';

const program = join(import.meta.dirname, 'workflow-kill-program.ts');
const kills = 2;

/** What became of some runs. */
export interface KillReport {
  readonly runs: number;
  readonly acts: number;
  readonly problems: readonly string[];
}

/** Runs that many of each given kind, and kills each twice. */
export async function killRuns(of: readonly string[], count: number, seed: number): Promise<KillReport> {
  const runs = killedRuns(of, count, seed, kills);
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-kills-'));
  await using postgres = await startTestPostgres();
  try {
    const base = { DATABASE_URL: postgres.url, FOLDER: folder };
    const local = runs.filter(({ kind }) => !kind.startsWith('Restate'));
    const remote = runs.filter(({ kind }) => kind.startsWith('Restate'));
    for (let pass = 0; pass <= kills && local.length > 0; pass += 1) {
      const settings = { ...base, RUNS: JSON.stringify(local), PASS: String(pass), ...(pass < kills && { HOLD: 'yes' }) };
      const ended = await runProgram(program, settings);
      if (pass < kills ? ended.signal !== 'SIGKILL' : ended.code !== 0)
        throw new Error(`Process ${pass} ended by itself: ${ended.stdout}${ended.stderr}`);
    }
    if (remote.length > 0) await killOnRestate(remote, { ...base, DATABASE_URL: '' });
    const entries = readFileSync(join(folder, 'ledger'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KillEntry);
    const problems = await Promise.all(runs.map(async (run) => (await problemsOf(run, entries)).map((problem) => `${run.id}: ${problem}`)));
    return {
      runs: runs.length,
      acts: entries.filter(({ what }) => what === 'act').length,
      problems: [...problems.flat(), ...sharedKeys(entries).map((key) => `shared: ${key}`)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killOnRestate(runs: readonly KilledRun[], base: Readonly<Record<string, string>>): Promise<void> {
  if (!hasRestate) return;
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const server = await startRestate(base['FOLDER'] ?? '');
  let service: ChildProcess | undefined;
  try {
    for (let pass = 0; pass <= kills; pass += 1) {
      const env = {
        ...process.env,
        ...base,
        RUNS: JSON.stringify(runs),
        PASS: String(pass),
        PORT: String(port),
        ...(pass < kills && { HOLD: 'yes' }),
      };
      service = spawn(process.execPath, ['--conditions=@repertoire/source', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      if (service.stdout !== null) await once(service.stdout, 'data');
      const exited = once(service, 'exit');
      const headers = { 'content-type': 'application/json' };
      if (pass === 0) {
        await server.register(`http://127.0.0.1:${port}`);
        for (const { id } of runs) await fetch(`${server.ingress}/kills/${id}/run/send`, { method: 'POST', headers, body: '{}' });
      }
      if (pass === kills) {
        for (const { id } of runs) await (await fetch(`${server.ingress}/restate/workflow/kills/${id}/attach`, { headers })).text();
        service.kill('SIGKILL');
      }
      await exited;
    }
  } finally {
    service?.kill('SIGKILL');
    await server.kill();
  }
}

if (import.meta.main) {
  const [count = '100', seed = '1', ...named] = process.argv.slice(2);
  const of = named.length === 0 ? kinds : named;
  const perBatch = 12 * of.length;
  let [runs, acts] = [0, 0];
  const problems: string[] = [];
  for (let batch = 0; runs < Number(count); batch += 1) {
    const report = await killRuns(of, Math.min(perBatch, Number(count) - runs), Number(seed) + batch);
    runs += report.runs;
    acts += report.acts;
    problems.push(...report.problems);
    for (const problem of report.problems) console.log(problem);
    console.log(`${runs} runs, ${kills * runs} kills, ${acts} calls, ${problems.length} problems`);
  }
  process.exitCode = problems.length === 0 ? 0 : 1;
}
