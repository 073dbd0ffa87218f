import type { Miniflare } from 'miniflare';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForWorkers } from '../../tools/bundle-for-workers.ts';
import { repositoryRoot } from '../../tools/workspace.ts';
import { openWorkerd } from '../open-workerd.ts';

describe('BRG-1: Cloudflare Agents in workerd', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const { code } = await bundleForWorkers(`export { default } from './workers/cloudflare-worker.ts';`, {
      conditions: ['@repertoire/source'],
      resolveFolder: join(repositoryRoot, 'e2e/agents'),
    });
    // Agents itself asks for Node's modules.
    runtime = openWorkerd(code, { compatibilityFlags: ['nodejs_compat'] });
  });
  afterAll(() => runtime?.dispose());
  const get = async (role: string) => (await (await runtime.dispatchFetch(`http://localhost/${role}`)).json()) as Record<string, string>;

  it('lists, loads and reads what the context may see', async () => {
    const guest = await get('guest');
    expect(guest['prompt']).toContain('- refunds: Gives money back.');
    expect(guest['prompt']).not.toContain('salaries');
    expect(guest['loaded']).toContain('Ask first.');
    expect(guest['stamp']).toBe('AP+A');
    expect(guest['tools']).toEqual(['activate_skill', 'read_skill_resource']);
    expect((await get('clerk'))['prompt']).toContain('- salaries: Pays salaries.');
  });
});

describe('BRG-1: an agent of Think in workerd', () => {
  let runtime: Miniflare;
  beforeAll(async () => {
    const { code } = await bundleForWorkers(`export { default, Support } from './workers/think-worker.ts';`, {
      conditions: ['@repertoire/source'],
      resolveFolder: join(repositoryRoot, 'e2e/agents'),
    });
    runtime = openWorkerd(code, { compatibilityFlags: ['nodejs_compat'], durableObjects: { SUPPORT: 'Support' } });
  });
  afterAll(() => runtime?.dispose());
  const play = async (role: string) => (await (await runtime.dispatchFetch(`http://localhost/${role}`)).json()) as string[];

  it('shows the skills that its context may see, and loads one', async () => {
    const [first, second] = await play('guest');
    expect(first).toContain('refunds: Gives money back.');
    expect(first).toContain('activate_skill');
    expect(first).not.toContain('salaries');
    expect(first).not.toContain('Ask first.');
    expect(second).toContain('Ask first.');
    expect((await play('clerk'))[0]).toContain('salaries: Pays salaries.');
  });
});
