import { isBuiltin } from 'node:module';
import type { Metafile } from 'esbuild';

/** What a bundle is made of, by esbuild's own account of it. */
export interface WorkerContents {
  /** What it imports at run time instead of holding it, statically or not. */
  readonly imports: readonly string[];
  /** Names of the packages whose code it holds; those of this workspace by their names as well. */
  readonly packages: readonly string[];
  /** Modules of Node that it imports, by the package that asks for them; `.` is the Worker itself, `?` what the account does not tell. */
  readonly nodeImports: Readonly<Record<string, readonly string[]>>;
}

/** Reads a metafile of esbuild, or of `wrangler deploy --metafile`. A file that was read and then shaken out altogether counts for nothing. */
export function workerContents({ inputs, outputs }: Metafile): WorkerContents {
  const imports = new Set(Object.values(outputs).flatMap((output) => output.imports.map(({ path }) => path)));
  const held = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const ofNode = [...imports].filter((path) => path.startsWith('node:') || isBuiltin(path)).toSorted();
  const asked = ofNode.flatMap((name) => {
    const askers = held.filter((path) => inputs[path]?.imports.some((entry) => entry.path === name));
    return askers.length === 0 ? [{ name, owner: '?' }] : askers.map((path) => ({ name, owner: packageOf(path) ?? '.' }));
  });
  return {
    imports: [...imports],
    packages: [...new Set(held.flatMap((path) => packageOf(path) ?? []))],
    nodeImports: Object.fromEntries(
      [...Map.groupBy(asked, ({ owner }) => owner)].map(([owner, names]) => [owner, [...new Set(names.map(({ name }) => name))]]),
    ),
  };
}

function packageOf(path: string): string | undefined {
  const installed = /^(?:@[^/]+\/)?[^/]+/.exec(path.split('node_modules/').slice(1).at(-1) ?? '')?.[0];
  const own = /(?:^|\/)packages\/([^/]+)\//.exec(path)?.[1];
  return installed ?? (own === undefined ? undefined : `@repertoire/${own}`);
}
