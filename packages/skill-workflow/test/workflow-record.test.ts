import { describe, expect, it } from 'vitest';

import { parseWorkflow } from '../src/parse/parse-workflow.ts';
import { recordedWorkflow } from '../src/run/workflow-record.ts';

const steps = [
  { name: 'find', tool: 'find-orders', input: { city: '$.input.city' }, retry: { attempts: 3, delay_ms: 5 }, timeout_ms: 1_000 },
  { name: 'weigh', tool: 'weigh', input: { order: '$.item' }, for_each: '$.steps.find.output', when: '$.input.isHeavy' },
  { name: 'ask', approve: 'Send them?', input: { orders: '$.steps.find.output' }, when: '$.steps.weigh.output' },
  {
    name: 'both',
    tools: [
      { tool: 'a.b', input: {} },
      { name: 'second', tool: 'a.b', input: { n: 1 } },
    ],
    retry: 2,
  },
  { name: 'tell', prompt: 'Tell it.', system_prompt: 'Be short.', input: {}, for_each: '$.input.people', timeout_ms: 10 },
];

describe('recordedWorkflow', () => {
  it('FLW-3: every kind of step, with every rule, is read back as it was recorded', () => {
    const workflow = parseWorkflow({ name: 'ship', version: '1.0.0', steps }, { allowUntrusted: true });
    expect(workflow.steps.map(({ type }) => type)).toEqual(['tool', 'tool', 'approval', 'tools', 'prompt']);
    expect(recordedWorkflow(structuredClone(workflow), 'ship')).toEqual(workflow);
  });

  it('FLW-3: what no file could say, or another workflow, does not run', () => {
    const workflow = parseWorkflow({ name: 'ship', steps }, { allowUntrusted: true });
    const [first, ...rest] = workflow.steps;
    for (const recorded of [
      null,
      { ...workflow, name: 'other' },
      { ...workflow, steps: [] },
      { ...workflow, steps: [{ ...first, policy: { attempts: 1_000 } }, ...rest] },
      { ...workflow, steps: [{ ...first, when: 'true' }, ...rest] },
      { ...workflow, steps: [{ type: 'shell', name: 'x' }] },
    ])
      expect(() => recordedWorkflow(recorded, 'ship')).toThrow(expect.objectContaining({ code: 'workflow-changed' }));
  });
});
