import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { wranglerEnvironment } from '../tools/wrangler-environment.ts';

/** Options of {@link wranglerDev}. */
export interface WranglerDevOptions {
  /**
   * Where local R2, KV and Durable Objects are kept, so that a second start finds what the first
   * one left.
   */
  readonly persistTo: string;
  /** Variables of the Worker, beside those of its configuration. @default none */
  readonly variables?: Readonly<Record<string, string>>;
  /** The file of the configuration. @default the folder's own */
  readonly configuration?: string;
  /** Which path is asked to see whether it runs. Any answer will do. @default '/' */
  readonly readyPath?: string;
}

/** A Worker that runs in the real workerd. */
export interface RunningWorker extends AsyncDisposable {
  /** Where it answers: `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** What was written so far, by wrangler, too. */
  output(): string;
  /** Kills workerd at once, as a power cut would (SIGKILL), and wrangler with it. Twice is fine. */
  kill(): Promise<void>;
}

/** For what hangs. Where twenty other programs run, a start takes a minute. */
const longestStartMs = 240_000;

/**
 * Runs a folder with a wrangler configuration under `wrangler dev`, from the sources of our
 * packages. It listens on a free port and answers when this returns.
 *
 * @throws {Error} with what wrangler wrote, where it ended or did not answer within four minutes
 */
export async function wranglerDev(
  folder: string,
  { persistTo, variables = {}, configuration, readyPath = '/' }: WranglerDevOptions,
): Promise<RunningWorker> {
  const fixed = ['dev', '--local', '--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0', '--show-interactive-dev-session=false'];
  const chosen = ['--persist-to', persistTo, ...(configuration === undefined ? [] : ['--config', configuration])];
  const given = Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  // A group of its own, so that workerd can be killed with it.
  const child = spawn(join(import.meta.dirname, 'node_modules/.bin/wrangler'), [...fixed, ...chosen, ...given], {
    cwd: folder,
    env: { ...process.env, ...wranglerEnvironment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()).on('error', () => resolve()));
  const tell = (signal: 'SIGKILL' | 'SIGTERM'): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    tell(signal);
    await ended;
    process.off('exit', killAtExit);
  };
  const killAtExit = (): void => tell('SIGKILL');
  process.once('exit', killAtExit);
  const kill = async (): Promise<void> => await end('SIGKILL');
  const listening = new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown): void => {
      output += String(chunk);
      const url = /Ready on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`wrangler dev ended with ${code}:\n${output}`)));
    AbortSignal.timeout(longestStartMs).addEventListener('abort', () => reject(new Error(`wrangler dev does not answer:\n${output}`)));
  });
  try {
    const url = await listening;
    await (await fetch(url + readyPath, { signal: AbortSignal.timeout(longestStartMs) })).arrayBuffer();
    return { url, output: () => output, kill, [Symbol.asyncDispose]: async () => await end('SIGTERM') };
  } catch (error) {
    await kill();
    throw error;
  }
}
