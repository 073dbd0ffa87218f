import type { SkillConfinementAspect, SkillWrittenFile } from '@repertoire/skills-core/internal';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ConfinedCommand, ProcessConfinement } from './confinements.ts';
import { measuredHolds, missingWalls } from './measured-holds.ts';
import { systemPaths } from './readable-paths.ts';
import { runProcess, type ProcessEnd, type ProcessRun } from './run-process.ts';
import type { WorkingCopy } from './working-copy.ts';
import { isFull, isOverfull, writtenFiles } from './written-files.ts';

/** A command, its copy, and what its process gets. */
export interface ConfinedRun
  extends Omit<ConfinedCommand, 'copy'>, Omit<ProcessRun, 'argv' | 'startIn' | 'starter' | 'onMeasured' | 'isOverfull'> {
  readonly copy: WorkingCopy;
  /** The files of the copy. */
  readonly originals: ReadonlyMap<string, Uint8Array>;
  /** Called when the process has ended, before anything of it is read. */
  readonly onEnded?: (() => Promise<void>) | undefined;
}

export interface ConfinedEnd extends ProcessEnd {
  /** What was measured before the script started. */
  readonly holds: readonly SkillConfinementAspect[];
  readonly filesWritten: readonly SkillWrittenFile[];
}

/** Linux has them all. Where they are missing, paths are used. */
const { O_RDONLY, O_DIRECTORY } = constants;

/**
 * Runs a command in one way of confinement. The script starts only after its process has measured
 * what it holds, and not without the walls of a confinement.
 *
 * Where the run has a file system of its own, that is opened before the script starts: the handle
 * keeps it after the processes of the run have ended, and leads nowhere else.
 *
 * @throws if the process cannot be started or is not confined
 */
export async function runConfined(way: ProcessConfinement, run: ConfinedRun): Promise<ConfinedEnd> {
  const { copy, limits, owner, originals } = run;
  let holds: readonly SkillConfinementAspect[] = [];
  let disk: FileHandle | undefined;
  const folder = (): string => (disk === undefined ? copy.skill : `/proc/self/fd/${disk.fd}/.`);
  try {
    const end = await runProcess({
      ...run,
      argv: way.argv(run),
      startIn: way.startIn(copy, run.cwd),
      starter: way.starter,
      async onMeasured(report, pid) {
        const found = measuredHolds(report, { kind: way.kind, readable: [...systemPaths, ...run.readable], limits });
        const missing = missingWalls(way.kind, found);
        if (missing.length > 0) throw new Error(`The confinement "${way.kind}" does not hold ${missing.join(', ')} here.`);
        if (way.ownDisk !== null) disk = await open(`/proc/${pid}/root${way.ownDisk(copy)}`, O_RDONLY | O_DIRECTORY);
        holds = found;
      },
      isOverfull: async () =>
        way.ownDisk === null ? isOverfull(copy.skill, limits) : disk !== undefined && (await isFull(folder(), limits)),
    });
    await run.onEnded?.();
    if (!end.started) return { ...end, holds, filesWritten: [] };
    const { written: filesWritten, isOverfull: isTooMuch } = await writtenFiles(folder(), owner, originals, limits);
    // What was written since the last check, and what no file system counts, such as depth.
    const overfull = end.endedBy === 'exit' && (isTooMuch || (disk !== undefined && (await isFull(folder(), limits))));
    return { ...end, ...(overfull && { endedBy: 'files', exitCode: null }), holds, filesWritten };
  } finally {
    await disk?.close();
  }
}
