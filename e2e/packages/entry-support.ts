import { packageTable } from '../../tools/package-table.ts';

const entries = Object.entries(packageTable).flatMap(([name, row]) =>
  Object.entries(row.entries).map(([entry, found]) => [`@repertoire/${name}${entry === '' ? '' : `/${entry}`}`, found] as const),
);

/** Whether each entry point with code runs on Workers. */
export const workerSupport: Readonly<Record<string, boolean>> = Object.fromEntries(entries.map(([name, { workers }]) => [name, workers]));

/** The optional peer that an entry point imports first. All others are installed by the package manager itself. */
export const neededPeers: Readonly<Record<string, string>> = Object.fromEntries(
  entries.flatMap(([name, { peers }]) => (peers?.[0] === undefined ? [] : [[name, peers[0]] as const])),
);
