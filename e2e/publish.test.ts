import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '@repertoire/cli';
import { storageSkillProvider, unstorageSkillStore } from '@repertoire/skill-storage';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { wranglerDev, type RunningWorker } from './wrangler-dev.ts';

const project = join(import.meta.dirname, 'publish');

describe('SRC-9: repertoire publish, read by a Worker under wrangler dev', () => {
  let folder: string;
  let worker: RunningWorker | undefined;

  beforeAll(async () => {
    // The command loads wrangler into this process.
    for (const [name, value] of [
      ['WRANGLER_SEND_METRICS', 'false'],
      ['CLOUDFLARE_CF_FETCH_ENABLED', 'false'],
      ['CI', 'true'],
    ] as const)
      vi.stubEnv(name, value);
    folder = await mkdtemp(join(tmpdir(), 'publish-'));
    await writeSkill('refunds', 'Confirm the order.');
    await writeFile(join(folder, 'skills/refunds/assets/logo.bin'), new Uint8Array([0xff, 0, 1, 2]));
  });

  afterAll(async () => {
    await worker?.kill();
    await rm(folder, { recursive: true });
    vi.unstubAllEnvs();
  });

  async function writeSkill(name: string, body: string): Promise<void> {
    await mkdir(join(folder, 'skills', name, 'assets'), { recursive: true });
    await writeFile(join(folder, 'skills', name, 'SKILL.md'), `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n${body}\n`);
  }

  async function publish(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const text = { stdout: '', stderr: '' };
    const output = (name: 'stdout' | 'stderr') => ({ write: (more: string) => (text[name] += more) });
    const env = { CLOUDFLARE_API_TOKEN: 'unused' };
    const code = await run(['publish', ...argv], { cwd: folder, env, stdout: output('stdout'), stderr: output('stderr') });
    return { code, ...text };
  }

  const local = () => ['--local', '--project', project, '--persist-to', join(folder, 'state')];
  const answer = async (store: string) => await (await fetch(`${worker?.url}/${store}`)).json();
  const logo = { 0: 0xff, 1: 0, 2: 1 };

  it('puts skills where wrangler dev finds them, in R2 and in KV', async () => {
    for (const store of ['r2://BUCKET', 'kv://NAMESPACE']) {
      expect(await publish('skills', '--to', `${store}/team`, ...local())).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('1 skill; 3 files uploaded'),
      });
    }
    await bundleTestWorker(`export { default } from './workers/publish-worker.ts';`);
    worker = await wranglerDev(project, { persistTo: join(folder, 'state'), readyPath: '/r2' });
    expect(await answer('r2')).toEqual({ refunds: ['Confirm the order.', logo] });
    expect(await answer('kv')).toEqual({ refunds: ['Confirm the order.', logo] });
  });

  it('publishes the next release under a Worker that runs', async () => {
    await writeSkill('refunds', 'Confirm the order twice.');
    expect(await publish('skills', '--to', 'r2://BUCKET/team', ...local())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 files uploaded'),
    });
    expect(await answer('r2')).toEqual({ refunds: ['Confirm the order twice.', logo] });
  });

  it('speaks the API of KV, as wrangler dev has it for its own storage', async () => {
    const argv = ['--to', 'kv://0123456789abcdef0123456789abcdef/team', '--endpoint', `${worker?.url}/cdn-cgi/local/explorer/api`];
    // What the binding wrote is what the API has.
    expect(await publish('skills', ...argv, '--dry-run')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files to upload') });
    expect(await publish('skills', ...argv)).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files uploaded') });
    expect(await answer('kv')).toEqual({ refunds: ['Confirm the order twice.', logo] });
    expect((await publish('skills', ...argv)).stdout).toContain('Left as it was');
    expect((await publish(...argv, '--rollback')).code).toBe(0);
    expect(await answer('kv')).toEqual({ refunds: ['Confirm the order.', logo] });
  });

  it('says which bindings there are where the one that was given is none of them', async () => {
    expect(await publish('skills', '--to', 'r2://SKILLS', ...local())).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no R2 bucket with the binding "SKILLS"\. It has .*BUCKET/),
    });
    expect(await publish('skills', '--to', 'kv://BUCKET', ...local())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no KV namespace'),
    });
  });

  it('asks for wrangler where the project has none', async () => {
    await writeFile(join(folder, 'wrangler.jsonc'), '{}');
    const main = join(import.meta.dirname, '../packages/cli/src/main.ts');
    const argv = ['--conditions=@repertoire/source', main, 'publish', 'skills', '--to', 'r2://SKILLS', '--local'];
    // A process of its own: package managers lend their packages to this one by NODE_PATH.
    const { NODE_PATH: _, ...env } = process.env;
    const outcome = await promisify(execFile)(process.execPath, argv, { cwd: folder, env }).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('npm install --save-dev wrangler') });
  });

  it('publishes to a folder, which unstorage reads elsewhere', async () => {
    expect(await publish('skills', '--to', './out')).toMatchObject({ code: 0 });
    const store = unstorageSkillStore(createStorage({ driver: fsDriver({ base: join(folder, 'out') }) }));
    const provider = storageSkillProvider({ store });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toContain('refunds');
    expect((await provider.readResource('refunds', 'assets/logo.bin'))?.bytes).toEqual(new Uint8Array([0xff, 0, 1, 2]));
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });
});
