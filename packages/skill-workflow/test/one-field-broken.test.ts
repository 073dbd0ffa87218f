import { expect, it } from 'vitest';
import { brokenTable } from '../../../test/support/one-field-broken.ts';
import { checkWorkflow } from '../src/index.ts';

const workflow = {
  name: 'flow',
  steps: [
    {
      name: 'find',
      tool: 'search',
      input: { query: 'x', most: 3 },
      retry: { attempts: 2, delay_ms: 10 },
      timeout_ms: 1000,
    },
    { name: 'each', tool: 'pay', input: { id: '$.item' }, for_each: '$.steps.find.output', when: '$.steps.find.output' },
    { name: 'both', tools: [{ tool: 'a', input: { x: 1 } }, { tool: 'b' }] },
    { name: 'ask', prompt: 'Say it.', input: { found: '$.steps.find.output' }, system_prompt: 'Be brief.' },
    { name: 'sure', approve: 'Go on?' },
  ],
};

it('FLW-1: a workflow in which one field is wrong is told of at its place', async () => {
  expect(checkWorkflow(workflow)).toEqual([]);
  await expect(
    await brokenTable(workflow, (value) =>
      checkWorkflow(value as typeof workflow).map(({ at, message }) => ({ code: at.join('.'), message: `${at.join('.')} ${message}` })),
    ),
  ).toMatchFileSnapshot('broken/workflow.txt');
});
