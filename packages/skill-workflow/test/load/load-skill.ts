import type { WorkflowSkill } from '../../src/index.ts';

/** Five calls: one after another, and two of them in parallel. */
export const loadSkill: WorkflowSkill = {
  name: 'order',
  origin: { kind: 'code', label: 'load', trusted: true },
  steps: [
    { name: 'reserve', tool: 'act', input: { order: '$.input.order' } },
    {
      name: 'pay-and-mail',
      tools: [
        { name: 'pay', tool: 'act', input: { order: '$.input.order', reservation: '$.steps.reserve.output' } },
        { name: 'mail', tool: 'act', input: { order: '$.input.order' } },
      ],
    },
    { name: 'ship', tool: 'act', input: { paid: '$.steps.pay-and-mail.output.pay' } },
    { name: 'close', prompt: 'Say that the order is done.', input: { shipped: '$.steps.ship.output' } },
  ],
};

export const callsOfLoadSkill = 5;
export const loadQueue = 'orders';
export const loadApplication = { name: 'workflow-load', applicationVersion: '1' } as const;
