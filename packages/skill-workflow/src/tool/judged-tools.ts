import type { SkillWorkflowRequest } from '@repertoire/skills-core/internal';
import { toolFunction, type WorkflowTool, type WorkflowTools } from '../run/workflow-tool-function.ts';

/** The same tools, asking the session first: a workflow opens no closed tool. */
export function judgedTools(tools: WorkflowTools, assertCallAllowed: SkillWorkflowRequest['assertCallAllowed']): WorkflowTools {
  return Object.fromEntries(
    Object.keys(tools).map((name): [string, WorkflowTool] => [
      name,
      async (input, context) => {
        await assertCallAllowed(name, input);
        context.signal?.throwIfAborted();
        return await toolFunction(tools, name)?.(input, context);
      },
    ]),
  );
}
