import { expect, it } from 'vitest';
import { bundleForWorkers } from '../tools/bundle-for-workers.ts';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { runInWorkerd } from './run-in-workerd.ts';

it('ADP-1, ADP-2: in workerd without nodejs_compat, an agent and a graph of LangChain load a skill, and only then may call its tool', async () => {
  const code = await bundleTestWorker(`export { default } from './workers/langchain-worker.ts';`);
  const texts = [
    expect.stringContaining('The tool process_refund is locked'),
    expect.stringContaining('Confirm the order, then call process_refund.'),
    'refunded A1',
  ];
  expect(await runInWorkerd(code)).toEqual({ agent: texts, graph: texts });
});

it('ADP-2: the entry point for graphs does not bring langchain', async () => {
  const { packages } = await bundleForWorkers(`export * from '@repertoire/adapter-langchain/langgraph';`, {
    conditions: ['@repertoire/source'],
  });
  expect(packages).toContain('@langchain/langgraph');
  expect(packages).not.toContain('langchain');
  expect(packages).not.toContain('@langchain/mcp-adapters');
});
