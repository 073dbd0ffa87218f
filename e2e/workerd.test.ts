import { describe, expect, it } from 'vitest';
import { bundleForWorkers } from '../tools/bundle-for-workers.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { runInWorkerd } from './run-in-workerd.ts';

/** Bundles a worker of `workers/` from the sources, and runs it where nothing of Node is. */
async function answerOf(worker: string): Promise<unknown> {
  const code = await bundleTestWorker(`export { default } from './workers/${worker}.ts';`);
  return runInWorkerd(code);
}

describe('workerd without nodejs_compat', () => {
  it('CON-5, DIS-3, DIS-4: a skill in code is listed, loaded and read', async () => {
    expect(await answerOf('core-worker'), 'S3-37').toEqual({
      listed: ['refunds'],
      catalog: expect.stringContaining('Refunds orders. Use when a customer wants money back.'),
      loaded: expect.stringContaining('Confirm the order, then refund it.'),
      read: expect.stringContaining('Within 30 days.'),
      refused: expect.not.stringContaining('Within 30 days.'),
      state: expect.objectContaining({ loaded: expect.anything() }),
    });
  });

  it('FMT-1: a SKILL.md is parsed, and its skill served', async () => {
    expect(await answerOf('skill-md-worker')).toEqual({
      metadata: expect.objectContaining({
        name: 'invoices',
        description: 'Writes invoices. Use when a customer wants one.',
        version: '1.10',
      }),
      body: '# Invoices\n\nNumber them in order.',
      listed: [['invoices', '1.10']],
      resource: ['image/svg+xml', '<svg/>'],
    });
  });

  it('ADP-4: an agent of the AI SDK loads a skill, and only then may call its tool', async () => {
    expect(await answerOf('ai-sdk-worker')).toEqual({
      text: 'Done.',
      outputs: [
        expect.not.stringContaining('refunded A1'),
        expect.stringContaining('Confirm the order, then call process_refund.'),
        'refunded A1',
      ],
    });
  });

  it('has nothing of Node', async () => {
    const script = `const has = (name) => import(name).then(() => true, () => false);
      export default { fetch: async () => Response.json([await has('node:fs'), await has('node:path'), typeof process, typeof Buffer]) };`;
    expect(await runInWorkerd(script)).toEqual([false, false, 'undefined', 'undefined']);
    expect(await runInWorkerd(script, ['nodejs_compat'])).toEqual([true, true, 'object', 'function']);
  });

  it('finds a built-in of Node that a bundle would import', async () => {
    const { imports } = await bundleForWorkers(
      `import { join } from 'path'; import { readFile } from 'node:fs/promises'; export default [join, readFile];`,
    );
    expect(imports.toSorted()).toEqual(['node:fs/promises', 'node:path']);
  });
});
