import type { StructuredToolInterface } from '@langchain/core/tools';

/** The same tool under another name. */
export function renameTool(tool: StructuredToolInterface, name: string): StructuredToolInterface {
  if (tool.name === name) return tool;
  return new Proxy(tool, { get: (target, property) => (property === 'name' ? name : Reflect.get(target, property, target)) });
}

/** A name that is free and that model APIs accept: the tool's own, else with the name of its server or skill before it. */
export function freeName(name: string, prefix: string, taken: ReadonlySet<string>): string {
  const own = name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
  if (!taken.has(own)) return own;
  const prefixed = `${prefix}__${name}`.replaceAll(/[^\w-]/g, '_').slice(0, 64);
  for (let count = 2; ; count += 1) {
    const candidate = count === 2 ? prefixed : `${prefixed.slice(0, 60)}_${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}
