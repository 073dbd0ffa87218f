import type { Scan } from './scan-roots.ts';

/** Remembers which names each root had when it could be read last: while it is away, such a name is not unknown. */
export class NamesOfRoots {
  readonly #names = new Map<string, ReadonlySet<string>>();
  #last: Scan | undefined;

  /** The root that is away and had this name; `undefined` where there is none. */
  rootAway(scan: Scan, name: string): string | undefined {
    this.note(scan);
    return scan.roots.find(({ root, state }) => state !== 'read' && this.#names.get(root.path)?.has(name) === true)?.root.path;
  }

  /** Takes down what a look at the disk found. */
  note(scan: Scan): void {
    if (scan === this.#last) return;
    this.#last = scan;
    for (const { root, state, records } of scan.roots) {
      if (state === 'read') this.#names.set(root.path, new Set(records.flatMap(({ metadata }) => metadata?.name ?? [])));
    }
  }
}
