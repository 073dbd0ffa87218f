import type { WorkerContents } from './worker-contents.ts';

/** What a bundle may be. */
export interface WorkerRules {
  /** KiB, minified and gzipped. */
  readonly maxKib: number;
  /** Packages that may not be in it. */
  readonly absent: readonly string[];
  /** Modules of Node that it imports all the same, by who asks for them. @default none */
  readonly nodeImports?: Readonly<Record<string, readonly string[]>> | undefined;
}

const nameOfOwner: Readonly<Record<string, string>> = { '.': 'its own code', '?': 'something that its metafile does not tell' };

/** What is wrong with a bundle, for people. Nothing where it is as it may be. */
export function workerProblems({ packages, nodeImports, imports }: WorkerContents, kib: number, rules: WorkerRules): string[] {
  const { maxKib, absent, nodeImports: allowed = {} } = rules;
  const owners = new Set([...Object.keys(nodeImports), ...Object.keys(allowed)]);
  return [
    ...(kib > maxKib
      ? [`It weighs ${kib.toFixed(1)} KiB gzipped, and may weigh ${maxKib}. Make it smaller, or raise the ceiling and say why.`]
      : []),
    ...absent
      .filter((name) => packages.includes(name) || imports.some((path) => path === name || path.startsWith(`${name}/`)))
      .map((name) => `It holds ${name}, which must not be in it.`),
    ...[...owners].flatMap((owner) => {
      const there = nodeImports[owner] ?? [];
      const told = allowed[owner] ?? [];
      const by = nameOfOwner[owner] ?? owner;
      return [
        ...there.filter((name) => !told.includes(name)).map((name) => `It imports ${name}, because of ${by}.`),
        ...told
          .filter((name) => !there.includes(name))
          .map((name) => `It no longer imports ${name} because of ${by}: strike out the exception.`),
      ];
    }),
  ];
}
