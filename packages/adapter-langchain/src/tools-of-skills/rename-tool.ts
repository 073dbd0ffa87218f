import type { StructuredToolInterface } from '@langchain/core/tools';

/** The same tool with another name. */
export function renameTool(tool: StructuredToolInterface, name: string): StructuredToolInterface {
  if (tool.name === name) return tool;
  return new Proxy(tool, { get: (target, property) => (property === 'name' ? name : Reflect.get(target, property, target)) });
}
