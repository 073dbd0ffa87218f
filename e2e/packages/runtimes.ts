import { join } from 'node:path';
import { platform, runtimePackages, toolVersions, type PackagedRuntime } from './tool-versions.ts';

/** A runtime of JavaScript. */
export interface Runtime {
  readonly name: string;
  /** Why it is not to be had on this platform. */
  readonly missing?: string | undefined;
  /**
   * Its program and the parameters that run a file.
   *
   * @param tools the `node_modules` that holds the runtimes
   */
  command(tools: string): readonly string[];
}

/** The Node of this repository. */
export const currentNode: Runtime = { name: `Node ${process.versions.node}`, command: () => [process.execPath] };
/** The oldest Node that the packages support. */
export const olderNode: Runtime = packaged('Node', 'node');
/** The newest Node that there is. */
export const newerNode: Runtime = packaged('Node', 'node-newest');
export const bun: Runtime = packaged('Bun', 'bun');
// Without permissions Deno does not read the environment, which LangChain and the AI SDK do.
export const deno: Runtime = packaged('Deno', 'deno', ['run', '--allow-all', '--no-prompt', '--node-modules-dir=manual']);

function packaged(name: string, runtime: PackagedRuntime, parameters: readonly string[] = []): Runtime {
  const found = runtimePackages[runtime][platform];
  return {
    name: `${name} ${toolVersions[runtime]}`,
    missing: found === undefined ? `e2e/packages/tool-versions.ts names no npm package that holds ${name} for ${platform}` : undefined,
    command: (tools) => [join(tools, found?.name ?? '', found?.program ?? ''), ...parameters],
  };
}
