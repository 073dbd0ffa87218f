import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Restate server of the test's own. */
export interface RestateServer {
  /** Where runs are started. */
  readonly ingress: string;
  /** Tells the server where a service is. */
  register(service: string): Promise<void>;
  /** Cancels a run. */
  cancel(invocation: string): Promise<void>;
  /** Kills it by SIGKILL. What it has is in its folder. */
  kill(): Promise<void>;
}

/** The program of the server; `undefined` on platforms that have none. */
function serverProgram(): string | undefined {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  try {
    return join(createRequire(import.meta.url).resolve(`${name}/package.json`), '../bin/restate-server');
  } catch {
    return undefined;
  }
}

const restateProgram = serverProgram();

/** A line of its log. */
interface LogLine {
  readonly fields?: { readonly message?: string };
  readonly span?: { readonly server_name?: string; readonly 'server.port'?: number };
}

/** Starts the server on the data that is in the folder, or on none. */
export async function startRestate(folder: string): Promise<RestateServer> {
  if (restateProgram === undefined) throw new Error(`There is no Restate server for ${process.platform}-${process.arch}.`);
  const [command = '', ...options] = await withoutNetwork(folder, [restateProgram, '--no-logo']);
  const child = spawn(command, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      RESTATE_BASE_DIR: join(folder, 'restate'),
      RESTATE_NODE_NAME: 'test',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_ADVERTISED_HOST: '127.0.0.1',
      RESTATE_USE_RANDOM_PORTS: 'true',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_DEFAULT_NUM_PARTITIONS: '1',
      RESTATE_DEFAULT_RETRY_POLICY__INITIAL_INTERVAL: '20ms',
      RESTATE_DEFAULT_RETRY_POLICY__MAX_INTERVAL: '200ms',
      RESTATE_LOG_FORMAT: 'json',
      RESTATE_LOG_FILTER: 'warn,restate=info',
    },
  });
  const log: string[] = [];
  const ports = new Map<string, number>();
  const started = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(line);
    const { fields, span } = (line.startsWith('{') ? JSON.parse(line) : {}) as LogLine;
    if (span?.server_name !== undefined && span['server.port'] !== undefined) ports.set(span.server_name, span['server.port']);
    if (fields?.message?.startsWith('Processor became Leader') === true) started.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const ended = once(child, 'exit');
  await Promise.race([
    started.promise,
    ended.then(() => {
      throw new Error(`Restate did not start: ${log.join('\n')}`);
    }),
  ]);
  const address = (name: string): string => `http://127.0.0.1:${ports.get(name)}`;
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address('admin-api-server') + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`Restate refused ${path}: ${response.status} ${await response.text()}`);
  };
  return {
    ingress: address('http-ingress-server'),
    register: (uri) => ask('POST', '/deployments', { uri }),
    cancel: (invocation) => ask('PATCH', `/invocations/${invocation}/cancel`),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * The server asks GitHub for its newest version when it starts, which no setting prevents. Where Linux allows mounts, it finds that name on this machine, where nobody answers.
 * Without an answer, it goes on.
 */
async function withoutNetwork(folder: string, command: readonly string[]): Promise<readonly string[]> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/unshare')) return command;
  const hosts = join(folder, 'hosts');
  await writeFile(hosts, '127.0.0.1 localhost api.github.com\n');
  const namespace = process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount'];
  const covered = [...namespace, 'sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hosts];
  const probe = spawn(covered[0] ?? '', [...covered.slice(1), 'true'], { stdio: 'ignore' });
  const [code] = (await once(probe, 'exit')) as [number | null];
  return code === 0 ? [...covered, ...command] : command;
}
