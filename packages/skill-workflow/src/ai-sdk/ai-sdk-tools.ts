import { SkillError } from '@repertoire/skills-core';
import { asSchema, generateId, type ToolSet } from 'ai';
import type { WorkflowTool, WorkflowTools } from '../run/workflow-tool-function.ts';

/**
 * Converts tools of the AI SDK for a workflow. The input is checked by the tool's own schema, as
 * the SDK does before it calls a tool. The tool gets the idempotency key as `toolCallId`; without
 * one, an id that no other attempt has. Tools without `execute` are left out: nobody would answer
 * them.
 *
 * A tool that needs approval is refused: a workflow has nobody to ask. Ask before you start the
 * workflow, and pass the tool without `needsApproval`.
 *
 * @throws {SkillError} `invalid-options` for a tool that needs approval
 * @throws {SkillError} `invalid-input` from a tool, for an input that its schema refuses
 * @example
 * ```ts
 * import { runWorkflow } from '@repertoire/skill-workflow';
 * import { aiSdkTools } from '@repertoire/skill-workflow/ai-sdk';
 * import { tool } from 'ai';
 * import { z } from 'zod';
 *
 * const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => ({ sum: a + b }) });
 * const skill = { name: 'sums', steps: [{ name: 'add', tool: 'add', input: { a: 1, b: 2 } }] };
 * export const { output } = await runWorkflow(skill, { tools: aiSdkTools({ add }), allowUntrusted: true }); // { sum: 3 }
 * ```
 */
export function aiSdkTools(tools: ToolSet): WorkflowTools {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, tool]) => (tool.execute === undefined ? [] : [[name, workflowToolOf(name, tool)]])),
  );
}

function workflowToolOf(name: string, tool: ToolSet[string]): WorkflowTool {
  if (tool.needsApproval !== undefined && tool.needsApproval !== false) {
    throw new SkillError(
      'invalid-options',
      `The tool "${name}" needs approval, and a workflow has nobody to ask. Pass it without needsApproval.`,
    );
  }
  const schema = asSchema(tool.inputSchema);
  return {
    inputSchema: schema.jsonSchema as Readonly<Record<string, unknown>>,
    async execute(input, { call, idempotencyKey, signal }) {
      const checked = await schema.validate?.(input);
      if (checked?.success === false)
        throw new SkillError('invalid-input', `The tool "${name}" refuses its input: ${checked.error.message}`, { cause: checked.error });
      const given: unknown = checked === undefined ? input : checked.value;
      const options = {
        toolCallId: idempotencyKey ?? `${call}:${generateId()}`,
        messages: [],
        context: undefined,
        ...(signal !== undefined && { abortSignal: signal }),
      };
      return await lastOf(tool.execute?.(given as never, options as never));
    },
  };
}

/** Returns the result of a tool, or the last value if it streams. */
export async function lastOf(result: unknown): Promise<unknown> {
  const value: unknown = await result;
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const item of value as AsyncIterable<unknown>) last = item;
  return last;
}
