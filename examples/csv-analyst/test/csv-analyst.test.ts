import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Makes every attempt to use the network fail loudly, so that none is swallowed. */
const noNetwork = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  import dns from 'node:dns';
  const refuse = () => { process._rawDebug('network was used'); throw new Error('network was used'); };
  net.Socket.prototype.connect = refuse;
  dns.lookup = refuse;
  globalThis.fetch = refuse;
`)}`;

interface Report {
  readonly file: string;
  readonly events: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
  readonly answer: string;
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csv-analyst-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach((context) => {
  context.skip(process.platform === 'win32', 'processRunner does not run on Windows');
});

function start(
  words: readonly string[],
  { environment = {}, network = false }: { environment?: Record<string, string>; network?: boolean } = {},
) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NO_COLOR: '1',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ...environment,
  };
  const flags = ['--conditions=@repertoire/source', ...(network ? [] : ['--import', noNetwork])];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [...flags, 'src/main.ts', ...words], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
}

async function report(words: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await start(['--json', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Report;
}

describe('the CSV analyst without a key', () => {
  let usual: Promise<Report> | undefined;
  const usualReport = (): Promise<Report> => (usual ??= report([]));

  it('SRC-10, ADP-4: loads the skill, runs its script on the file, and answers from the output', async () => {
    const { events, answer, file } = await usualReport();
    expect(file).toBe('data/orders.csv');
    expect(events).toMatchObject([
      { type: 'loaded', skill: 'csv-profile' },
      {
        type: 'ran',
        skill: 'csv-profile',
        script: 'scripts/profile.mjs',
        exitCode: 0,
        confinement: expect.stringMatching(/^(?:bubblewrap|namespaces|none)$/),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { type: 'answered', text: answer },
    ]);
    expect(answer).toContain('12 rows, 7 columns.');
    expect(answer).toContain('1 of the rows repeat an earlier one.');
    expect(answer).toContain('| amount | mixed | 2 | 9 | -15 to 210 |');
  });

  it('SRC-10: says in words what confined the script', async () => {
    const { code, stdout } = await start([]);
    expect(code).toBe(0);
    const parts = [
      'What is in this file',
      'It loads the skill csv-profile',
      'It runs scripts/profile.mjs',
      'onfined',
      '12 rows, 7 columns.',
    ];
    const places = parts.map((part) => stdout.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('SRC-10: with --confined, runs nothing that nothing confines', async () => {
    const ran = (events: Report['events']) => events.find(({ type }) => type === 'ran')?.['confinement'] ?? 'nothing ran';
    const free = ran((await usualReport()).events);
    const { events, answer } = await report(['--confined']);
    expect(ran(events)).toBe(free === 'none' ? 'nothing ran' : free);
    expect(answer).toContain(free === 'none' ? 'Error (unsupported)' : '12 rows');
  });

  it('SRC-10: looks at a file of yours, whatever its name, and changes nothing in it', async () => {
    const path = join(folder, 'my $(table); "x".csv');
    await writeFile(path, 'a;b\n1;2\n');
    const { file, answer } = await report([path, 'How', 'many?']);
    expect(file).toBe('data/my-table-x-.csv');
    expect(answer).toContain('1 rows, 2 columns.');
    expect(await readFile(path, 'utf8')).toBe('a;b\n1;2\n');
  });

  it('SRC-10: a script that fails is what the answer tells', async () => {
    const path = join(folder, 'picture.csv');
    await writeFile(path, new Uint8Array([0xff, 0xfe, 0x00, 0x01, 0x00, 0x00]));
    const { events, answer } = await report([path]);
    const ran = events.find(({ type }) => type === 'ran');
    expect(ran?.['exitCode']).toBe(1);
    expect(answer).toMatch(/^The script gave no profile that I can read\. It said:\n\n<skill_script .*exit="1">/);
  });

  it('tells how it is used, and refuses what it cannot take', async () => {
    expect(await start(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('--confined') });
    expect(await start(['--paint'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/Unknown option '--paint'[^]*See --help/) });
    expect(await start([join(folder, 'none.csv')])).toMatchObject({
      code: 1,
      stderr: 'There is no file none.csv. Give the path of a CSV file.\n',
    });
  });
});

describe('the CSV analyst with a key', () => {
  it('asks a real provider with the same tools, and says clearly when that fails', async () => {
    const bodies: Record<string, unknown>[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ error: { message: 'The key is not valid.', type: 'invalid_request_error', code: 'invalid_api_key' } }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const environment = { OPENAI_API_KEY: 'no', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, REPERTOIRE_MODEL: 'a-model' };
    const run = await start([], { environment, network: true });
    server.close();
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('Model: a-model (OpenAI)') });
    expect(run.stderr).toContain('status 401): The key is not valid.');
    const named = ['load_skill', 'run_skill_script'].map((name) => expect.objectContaining({ name }));
    expect(bodies[0]?.['tools']).toEqual(expect.arrayContaining(named));
    expect(JSON.stringify(bodies[0]?.['input'])).toContain('Scripts find the file at inputs/data/orders.csv.');
  });
});
