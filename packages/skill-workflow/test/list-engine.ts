import type { DurableEngine } from '../src/agent.ts';

/** What an engine has recorded, as text. It outlives the process. */
export type RecordedSteps = { id: string; text: string }[];

/** Numbers steps as they start, as DBOS does. What it holds is text. A second engine over the same list is the next process. */
export function listEngine(list: RecordedSteps, workflowId = 'w'): DurableEngine {
  let count = 0;
  return {
    workflowId,
    runStep: async (id, work) => {
      const at = count;
      count += 1;
      const known = list[at];
      await Promise.resolve();
      if (known === undefined) list[at] = { id, text: JSON.stringify(await work()) };
      else if (known.id !== id) throw new Error(`${known.id} was recorded when ${id} was expected.`);
      return JSON.parse(String(list[at]?.text)) as never;
    },
  };
}
