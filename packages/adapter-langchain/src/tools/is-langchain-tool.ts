import type { StructuredToolInterface } from '@langchain/core/tools';

/** Whether a value is a tool of LangChain, such as `tool(…, { name, schema })` returns. */
export function isLangChainTool(value: unknown): value is StructuredToolInterface {
  if (typeof value !== 'object' || value === null) return false;
  return 'name' in value && 'schema' in value && 'invoke' in value && typeof value.invoke === 'function';
}
