import { expect, it } from 'vitest';
import { bundleTestWorker } from './bundle-test-worker.ts';
import { runInWorkerd } from './run-in-workerd.ts';

it('DEC-1: in workerd without nodejs_compat, a file is checked, drawn, compiled and run; its tool opens with its skill', async () => {
  const code = await bundleTestWorker(`export { default } from './workers/declarative-worker.ts';`);
  expect(await runInWorkerd(code)).toEqual({
    texts: [
      expect.stringContaining('The tool process_refund is locked'),
      expect.stringContaining('Confirm the order, then call process_refund.'),
      'refunded A1',
    ],
    calls: 4,
    problems: ['12:36 Unknown variable: llm_respnse. Did you mean "llm_response"?'],
    drawn: true,
  });
});
