import type { Generate, WorkflowTools } from '../run/workflow-tool-function.ts';

/** The part of a LangChain chat model that is used here. */
export interface ChatModelLike {
  invoke(messages: [role: 'system' | 'human', text: string][], options?: { signal?: AbortSignal }): Promise<{ readonly text: string }>;
}

/** The part of a LangChain tool that is used here. */
export interface LangChainToolLike {
  readonly name: string;
  readonly schema?: unknown;
  invoke(input: never, options?: never): Promise<unknown>;
}

/**
 * Prompt steps with a chat model of LangChain.
 *
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { runWorkflow, type WorkflowTools } from '@repertoire/skill-workflow';
 * import { langchainGenerate } from '@repertoire/skill-workflow/langchain';
 * import type { Skill } from '@repertoire/skills-core';
 *
 * export async function run(skill: Skill, model: BaseChatModel, tools: WorkflowTools): Promise<unknown> {
 *   return (await runWorkflow(skill, { tools, generate: langchainGenerate(model) })).output;
 * }
 * ```
 */
export function langchainGenerate(model: ChatModelLike): Generate {
  return async ({ system, prompt }, { signal }) => {
    const messages: [role: 'system' | 'human', text: string][] = [
      ['system', system],
      ['human', prompt],
    ];
    const { text } = await model.invoke(messages, signal === undefined ? {} : { signal });
    return text;
  };
}

/**
 * Converts tools of LangChain for a workflow. Each checks its input by its own schema. The
 * idempotency key is in `config.metadata.idempotencyKey`.
 *
 * A workflow reads fields of an object, so let a tool return one: of a text, only the whole output
 * can be referenced.
 *
 * @example
 * ```ts
 * import { tool } from '@langchain/core/tools';
 * import { runWorkflow } from '@repertoire/skill-workflow';
 * import { langchainTools } from '@repertoire/skill-workflow/langchain';
 * import { z } from 'zod';
 *
 * const schema = z.object({ a: z.number(), b: z.number() });
 * const add = tool(({ a, b }) => ({ sum: a + b }), { name: 'add', description: 'Adds.', schema });
 * const skill = { name: 'sums', steps: [{ name: 'add', tool: 'add', input: { a: 1, b: 2 } }] };
 * export const { output } = await runWorkflow(skill, { tools: langchainTools([add]), allowUntrusted: true }); // { sum: 3 }
 * ```
 */
export function langchainTools(tools: readonly LangChainToolLike[]): WorkflowTools {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        inputSchema: jsonSchemaOf(tool.schema),
        execute: async (input, { idempotencyKey, signal }) => {
          const config = { ...(signal !== undefined && { signal }), metadata: { idempotencyKey } };
          return await tool.invoke(input as never, config as never);
        },
      },
    ]),
  );
}

/** Returns the schema of a tool, if it is JSON Schema. Those of zod are ignored. */
function jsonSchemaOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const isJsonSchema =
    typeof schema === 'object' && schema !== null && 'properties' in schema && !('_zod' in schema) && !('_def' in schema);
  return isJsonSchema ? schema : undefined;
}
