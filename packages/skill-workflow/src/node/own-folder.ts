import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { SkillError } from '@repertoire/skills-core';

/** A folder that this process alone uses, and the socket at which its database can be reached. */
export interface OwnFolder {
  readonly dataFolder: string;
  /** A socket that only this user can open, or a pipe of Windows. The server has no passwords. */
  readonly socket: string;
  /** The folder of the socket, for clients; `null` for a pipe, which they cannot open. */
  readonly socketFolder: string | null;
  release(): Promise<void>;
}

/** Folders that this process has open. In containers, the old process may have had its number. */
const openHere = new Set<string>();

/** The longest path of a socket that every system accepts. */
const maxSocketPath = 100;

/**
 * Takes a folder for this process. PGlite has no lock of its own: two processes would destroy each
 * other's data.
 *
 * @throws {SkillError} `source-unavailable` if a process that is alive has it open
 */
export async function openFolder(folder: string): Promise<OwnFolder> {
  // A folder of its own, since only this user may open it.
  const path = join(resolve(folder), 'postgres');
  if (openHere.has(path)) throw inUse(path, process.pid);
  openHere.add(path);
  try {
    return await open(path);
  } catch (error) {
    openHere.delete(path);
    throw error;
  }
}

async function open(path: string): Promise<OwnFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const lock = join(path, 'process.pid');
  await takeLock(lock, path);
  const temporary: string[] = [];
  const release = async (): Promise<void> => {
    for (const folder of temporary) await rm(folder, { recursive: true, force: true });
    await rm(lock, { force: true });
    openHere.delete(path);
  };
  const dataFolder = join(path, 'data');
  if (process.platform === 'win32') {
    const socket = `\\\\.\\pipe\\repertoire-${randomBytes(24).toString('hex')}`;
    return { dataFolder, socket, socketFolder: null, release };
  }
  let socketFolder = path;
  if (socketIn(path).length > maxSocketPath) {
    // Only this user may open what `mkdtemp` makes.
    const short = socketIn(tmpdir()).length + 20 > maxSocketPath ? '/tmp' : tmpdir();
    socketFolder = await mkdtemp(join(short, 'repertoire-'));
    temporary.push(socketFolder);
  }
  const socket = socketIn(socketFolder);
  await rm(socket, { force: true });
  return { dataFolder, socket, socketFolder, release };
}

function socketIn(folder: string): string {
  return join(folder, '.s.PGSQL.5432');
}

async function takeLock(lock: string, folder: string): Promise<void> {
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    refuseOwner(await ownerOf(lock), folder);
    // Its owner was killed. Only one process can rename the file, which may be a newer one.
    const taken = `${lock}.${process.pid}`;
    try {
      await rename(lock, taken);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    const owner = await ownerOf(taken);
    if (isOther(owner)) await rename(taken, lock);
    else await rm(taken, { force: true });
    refuseOwner(owner, folder);
  }
}

/** Returns the process of a lock. An empty one is being written, unless its process was killed. */
async function ownerOf(lock: string): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const text = await readFile(lock, 'utf8').catch(() => 'gone');
    if (text !== '' || attempt === 20) return Number(text);
    await later(10);
  }
}

function isOther(owner: number): boolean {
  return owner !== process.pid && isAlive(owner);
}

function refuseOwner(owner: number, folder: string): void {
  if (isOther(owner)) throw inUse(folder, owner);
}

function inUse(folder: string, pid: number): SkillError {
  return new SkillError(
    'source-unavailable',
    `The folder ${folder} is in use by process ${pid}. Stop that process, use another folder, or use a PostgreSQL server. If it is no process of yours, delete process.pid.`,
    { path: folder },
  );
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
