import { tool, type StructuredToolInterface, type ToolRuntime } from '@langchain/core/tools';
import { interrupt } from '@langchain/langgraph';
import * as z from 'zod';

/**
 * Records the effect of a call once. A call runs again if another call of the same answer waits,
 * and after a crash.
 */
export type Journal = (call: string, entry: string) => void;

/** A question for a librarian. */
export interface Question {
  readonly question: string;
  readonly reason: string;
}

/** The tools that the skills name. They are closed until the skill is loaded. */
export function deskTools(write: Journal): StructuredToolInterface[] {
  return [
    tool(
      ({ title }, { toolCallId }: ToolRuntime) => {
        write(toolCallId, `reserved ${title}`);
        return `${title} is kept for you at the main library for 7 days.`;
      },
      { name: 'reserve_copy', description: 'Reserves one copy of a book.', schema: z.object({ title: z.string() }) },
    ),
    tool(
      ({ amount, reason }, { toolCallId }: ToolRuntime) => {
        // The run ends here until somebody decides, however long that takes. Then the tool is
        // called again, and this returns the decision.
        const approved = interrupt<Question, boolean>({ question: `Waive ${amount}?`, reason });
        if (!approved) return 'A librarian refused.';
        write(toolCallId, `waived ${amount}`);
        return `The fee of ${amount} is waived.`;
      },
      {
        name: 'waive_fee',
        description: 'Asks a librarian to waive a late fee.',
        schema: z.object({ amount: z.number().positive(), reason: z.string() }),
      },
    ),
  ];
}
