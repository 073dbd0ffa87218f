import { parseWorkflow, type Workflow } from '@repertoire/skill-workflow';
import type { StepGroups } from './world.ts';

/** All that a step can say: a person is asked, a step is skipped, a list is gone through, a call is tried again and limited. */
export function ruleWorkflow(timeout_ms: number): Workflow {
  return parseWorkflow(
    {
      name: 'rules',
      steps: [
        { name: 'ask', approve: 'Pay?', input: { orders: '$.input.orders' } },
        { name: 'skipped', tool: 'pay', when: '$.input.no' },
        {
          name: 'pay',
          tool: 'pay',
          when: '$.steps.ask.output',
          for_each: '$.input.orders',
          input: { order: '$.item', at: '$.index' },
          retry: { attempts: 2, delay_ms: 0 },
          timeout_ms,
        },
      ],
    },
    { allowUntrusted: true },
  );
}

export const ruleSteps: StepGroups = [['begin workflow'], ['ask'], ['pay/0', 'pay/1']];
