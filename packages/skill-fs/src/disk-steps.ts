import fs, { type BigIntStats, type Dirent, type Stats } from 'node:fs';
import { DiskPace } from './disk-pace.ts';

type Done = (error: Error | null, value?: unknown) => void;

interface DiskCall {
  /** `undefined` for what takes so long that a thread had better do it. */
  readonly now: (() => unknown) | undefined;
  readonly later: (done: Done) => void;
}

/** An open file. */
export interface OpenedFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

/** Work with the disk, step by step, which does not care who makes the calls. */
export type DiskSteps<Value> = Generator<DiskCall, Value, unknown>;

/** What steps that were begun came to: their value, or the next call. */
export type BegunSteps<Value> = IteratorResult<DiskCall, Value>;

const mostBytesAtOnce = 262_144;
/** After that, a disk may be asleep or gone. */
const quietMs = 1_000;

/** The calls of {@link DiskSteps}. Closing never waits, so it is done at once. */
export const disk = {
  /** Opens a file and says what it is, in one step: a step costs as much as a call. */
  *open(file: string, flags: number): DiskSteps<OpenedFile> {
    return (yield { now: () => openNow(file, flags), later: (done) => openLater(file, flags, done) }) as OpenedFile;
  },
  /** With exact numbers, to tell two files apart. */
  *fstat(descriptor: number): DiskSteps<BigIntStats> {
    return (yield {
      now: () => fs.fstatSync(descriptor, { bigint: true }),
      later: (done) => fs.fstat(descriptor, { bigint: true }, done),
    }) as BigIntStats;
  },
  *lstat(file: string): DiskSteps<BigIntStats> {
    return (yield {
      now: () => fs.lstatSync(file, { bigint: true }),
      later: (done) => fs.lstat(file, { bigint: true }, done),
    }) as BigIntStats;
  },
  /** What is there; `undefined` for nothing, which costs a fraction of an error. */
  *look(file: string): DiskSteps<Stats | undefined> {
    return (yield {
      now: () => fs.lstatSync(file, { throwIfNoEntry: false }),
      later: (done) => fs.lstat(file, (error, stats) => (error?.code === 'ENOENT' ? done(null) : done(error, stats))),
    }) as Stats | undefined;
  },
  /** Before what takes long: whoever does steps in one turn stops here. */
  *pause(): DiskSteps<void> {
    yield { now: undefined, later: (done) => setImmediate(done, null) };
  },
  *realpath(file: string): DiskSteps<string> {
    return (yield { now: () => fs.realpathSync.native(file), later: (done) => fs.realpath.native(file, done) }) as string;
  },
  *names(folder: string): DiskSteps<string[]> {
    return (yield { now: () => fs.readdirSync(folder), later: (done) => fs.readdir(folder, done) }) as string[];
  },
  *entries(folder: string): DiskSteps<Dirent[]> {
    return (yield {
      now: () => fs.readdirSync(folder, { withFileTypes: true }),
      later: (done) => fs.readdir(folder, { withFileTypes: true }, done),
    }) as Dirent[];
  },
  *read(descriptor: number, bytes: Uint8Array, offset: number, length: number): DiskSteps<number> {
    return (yield {
      now: length > mostBytesAtOnce ? undefined : () => fs.readSync(descriptor, bytes, offset, length, offset),
      later: (done) => fs.read(descriptor, bytes, offset, length, offset, done),
    }) as number;
  },
  /** Reads the next part of a file, into the start of the bytes. */
  *readPart(descriptor: number, bytes: Uint8Array, position: number): DiskSteps<number> {
    return (yield {
      now: () => fs.readSync(descriptor, bytes, 0, bytes.length, position),
      later: (done) => fs.read(descriptor, bytes, 0, bytes.length, position, done),
    }) as number;
  },
} as const;

/**
 * Makes the disk calls of a provider in slices on this thread, since a thread costs several times
 * as much as a call. Threads are used after a pause and for slow disks, which must not block the
 * process.
 */
export class DiskReader {
  #pace = new DiskPace();
  #usedAt = Number.NEGATIVE_INFINITY;

  /** What is known of the disk now. */
  get pace(): DiskPace {
    const now = performance.now();
    if (now - this.#usedAt > quietMs) this.#pace = new DiskPace();
    this.#usedAt = now;
    return this.#pace;
  }

  /** Says that the disk has answered somebody else just now, so that it may be called at once. */
  noteAnswer(): void {
    this.pace.answered = true;
  }

  /** Does some calls at once, as one look. `undefined` if threads should do them. */
  async atOnce<Value>(look: () => Value): Promise<Value | undefined> {
    const { pace } = this;
    while (pace.answered && pace.isSliceOver) await pace.rest();
    return this.now(look);
  }

  /** The same without waiting: `undefined` also where the event loop is due to others. */
  now<Value>(look: () => Value): Value | undefined {
    const { pace } = this;
    if (!pace.answered || pace.isSlow || pace.isSliceOver) return undefined;
    pace.beginLook();
    try {
      return look();
    } finally {
      pace.endLook();
    }
  }

  /**
   * Does the steps, and rejects with what they throw.
   *
   * @param begun where {@link stepsUntilPause} stopped. @default nothing is done yet
   */
  async run<Value>(steps: DiskSteps<Value>, begun?: BegunSteps<Value>): Promise<Value> {
    const { pace } = this;
    const isAtOnce = pace.answered;
    let next = begun ?? steps.next();
    while (next.done !== true) {
      const { now, later } = next.value;
      while (isAtOnce && pace.isSliceOver) await pace.rest();
      let value: unknown;
      try {
        value = isAtOnce && now !== undefined && !pace.isSlow ? pace.call(now) : await byThread(later);
      } catch (error) {
        next = steps.throw(error);
        continue;
      }
      next = steps.next(value);
    }
    if (!pace.answered) {
      pace.answered = true;
      await pace.restBehindThread();
    }
    return next.value;
  }
}

/**
 * Does steps in this turn, up to the first that takes long: {@link DiskReader.run} does the rest.
 */
export function stepsUntilPause<Value>(steps: DiskSteps<Value>): BegunSteps<Value> {
  let next = steps.next();
  while (next.done !== true && next.value.now !== undefined) {
    let value: unknown;
    try {
      value = next.value.now();
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next(value);
  }
  return next;
}

function openNow(file: string, flags: number): OpenedFile {
  const descriptor = fs.openSync(file, flags);
  try {
    return { descriptor, stats: fs.fstatSync(descriptor) };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

function openLater(file: string, flags: number, done: Done): void {
  fs.open(file, flags, (openError, descriptor) => {
    if (openError !== null) return done(openError);
    fs.fstat(descriptor, { bigint: false }, (error, stats) => {
      if (error !== null) fs.closeSync(descriptor);
      done(error, { descriptor, stats });
    });
  });
}

async function byThread(later: DiskCall['later']): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    later((error, value) => {
      if (error === null) resolve(value);
      else reject(error);
    });
  });
}
