import { parseWorkflow, type Workflow } from '@repertoire/skill-workflow';
import type { StepGroups } from './world.ts';

/** A tool step, a fan-out of three branches, and a prompt, which a later edition of the skill asks in other words. */
export const sumWorkflow = (edition: string): Workflow =>
  parseWorkflow(
    {
      name: 'sums',
      steps: [
        { name: 'first', tool: 'add', input: { a: '$.input.a', b: '$.input.b' } },
        {
          name: 'fan',
          tools: ['x', 'y', 'z'].map((name, index) => ({ name, tool: 'add', input: { a: '$.steps.first.output.sum', b: index } })),
        },
        { name: 'tell', prompt: `Tell the sums. ${edition}`, input: { sums: '$.steps.fan.output' } },
      ],
    },
    { allowUntrusted: true },
  );

export const sumSteps: StepGroups = [['begin workflow'], ['first'], ['fan/x', 'fan/y', 'fan/z'], ['tell']];
