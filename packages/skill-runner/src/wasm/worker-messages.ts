export interface WorkerInput {
  readonly script: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly arguments: readonly string[];
  readonly stdin: Uint8Array;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly maxMemoryBytes: number;
  readonly maxOutputBytes: number;
  readonly maxFolderBytes: number;
}

/** Messages of a worker: pieces of output while it runs, then one end. */
export type WorkerMessage =
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'started' }
  | {
      readonly kind: 'end';
      readonly exitCode: number;
      readonly full: boolean;
      readonly overfull: boolean;
      readonly written: ReadonlyMap<string, Uint8Array>;
    };
