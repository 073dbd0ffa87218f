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

/** Prompt steps with a chat model of LangChain. */
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
 * Tools of LangChain for a workflow. Each checks its input by its own schema. The idempotency key is in `config.metadata.idempotencyKey`.
 *
 * A workflow reads fields of an object, so let a tool return one: of a text, only the whole output can be referenced.
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

/** The schema of a tool, if it is JSON Schema. A schema of zod says nothing here: its conversion belongs to zod. */
function jsonSchemaOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const isJsonSchema =
    typeof schema === 'object' && schema !== null && 'properties' in schema && !('_zod' in schema) && !('_def' in schema);
  return isJsonSchema ? schema : undefined;
}
