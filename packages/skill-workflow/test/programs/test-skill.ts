import type { WorkflowSkill } from '../../src/index.ts';

/** A tool step, a fan-out of three branches, a tool step on its output, and a prompt. */
export const testSkill: WorkflowSkill = {
  name: 'sums',
  origin: { kind: 'code', label: 'tests', trusted: true },
  steps: [
    { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
    {
      name: 'fan',
      tools: ['x', 'y', 'z'].map((name, index) => ({ name, tool: 'add', input: { a: '$.steps.first.output.sum', b: index } })),
    },
    { name: 'last', tool: 'add', input: { a: '$.steps.fan.output.x.sum', b: '$.steps.fan.output.z.sum' } },
    { name: 'tell', prompt: 'Tell the sum.', input: { sum: '$.steps.last.output.sum' } },
  ],
};

/** Its calls, in the order in which they start. */
export const testCalls = ['first', 'fan/x', 'fan/y', 'fan/z', 'last', 'tell'] as const;
