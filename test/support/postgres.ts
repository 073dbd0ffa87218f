import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { embeddedPostgres } from '../../packages/skill-workflow/src/pglite.ts';
import { isWritable } from '../../tools/is-writable.ts';
import { repositoryRoot } from '../../tools/workspace.ts';
import { copyPgliteData } from './pglite-data.ts';

/** A PostgreSQL of the test's own. */
export interface Postgres extends AsyncDisposable {
  readonly url: string;
}

/** Folder of the programs of the newest PostgreSQL that is installed; `undefined` where none is. */
export function installedPostgres(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))));
}

/** The installed PostgreSQL, or PGlite where none is installed. */
export async function startTestPostgres(): Promise<Postgres> {
  const programs = installedPostgres();
  return programs === undefined ? await startPglite() : await startPostgres(programs);
}

/** A private cluster of the installed PostgreSQL, in a folder that goes away. As root it runs as the user `postgres`, since it refuses root. */
export async function startPostgres(programs: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-postgres-'));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  const withUser = (program: string, ...options: string[]): [string, string[]] => {
    const path = join(programs, program);
    return asRoot ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', path, ...options]] : [path, options];
  };
  const data = join(folder, 'data');
  copyOrMake(data, `postgres-${keyOf(join(programs, 'postgres'))}`, () =>
    execFileSync(...withUser('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'), {
      cwd: folder,
      stdio: 'pipe',
    }),
  );

  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'].flatMap((setting) => ['-c', setting]);
  const start = async (tries: number): Promise<{ readonly child: ChildProcess; readonly port: number }> => {
    const port = await freePort();
    const child = spawn(...withUser('postgres', '-D', data, '-p', String(port), ...settings), {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (log += chunk));
    const exited = once(child, 'exit');
    while (!log.includes('ready to accept connections')) {
      if (child.exitCode === null) await Promise.race([once(child.stderr, 'data'), exited]);
      // It takes no port of its own choice, and somebody else may have been faster.
      else if (tries > 1 && log.includes('Address already in use')) return await start(tries - 1);
      else throw new Error(`PostgreSQL did not start: ${log}`);
    }
    return { child, port };
  };
  const { child, port } = await start(5);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the data of a cluster that was never used, or copies what was made before: to make it takes a second of CPU. */
function copyOrMake(data: string, name: string, make: () => unknown): void {
  const caches = join(repositoryRoot, 'node_modules/.cache');
  const kept = join(caches, name);
  // Nothing but `cp -a` keeps the owner, which is not root.
  const copy = (from: string, to: string): unknown => execFileSync('cp', ['-a', from, to], { stdio: 'pipe' });
  if (existsSync(kept)) return void copy(kept, data);
  make();
  // An ordinary user in a checkout of root's has no place for it.
  if (!isWritable(dirname(caches))) return;
  const fresh = `${kept}.${process.pid}`;
  mkdirSync(caches, { recursive: true });
  copy(data, fresh);
  try {
    renameSync(fresh, kept);
  } catch (error) {
    // Somebody else may have been faster.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
}

/** Other for each program and each user, whose data it is. */
function keyOf(program: string): string {
  const { size, mtimeMs } = statSync(program);
  return createHash('sha256')
    .update([realpathSync(program), size, mtimeMs, process.getuid?.()].join(' '))
    .digest('hex')
    .slice(0, 16);
}

/** PostgreSQL compiled to WebAssembly behind a socket: for machines that have none. */
export async function startPglite(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-pglite-'));
  await copyPgliteData(folder);
  const { url, ...postgres } = await embeddedPostgres({ folder });
  return {
    url,
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
