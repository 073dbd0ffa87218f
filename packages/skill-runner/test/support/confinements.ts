import { processRunner, type ProcessRunnerOptions } from '@repertoire/skill-runner/process';
import type { ProcessConfinementKind } from '../../src/process/confinements.ts';
import type { SkillRunner, SkillRunResult } from '@repertoire/skills-core/provider';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { runFiles } from './skill-files.ts';

export const kinds: readonly ProcessConfinementKind[] = ['bubblewrap', 'namespaces', 'none'];

/** Each run of a host that is root has a user of its own. */
export const isRoot: boolean = process.getuid?.() === 0;

/** Which confinements work on this machine, with what they hold there. */
export const available: ReadonlyMap<ProcessConfinementKind, SkillRunResult['confinement']> = await findAvailable();

async function findAvailable(): Promise<Map<ProcessConfinementKind, SkillRunResult['confinement']>> {
  const found = new Map<ProcessConfinementKind, SkillRunResult['confinement']>();
  for (const kind of kinds) {
    try {
      const { confinement } = await runFiles(processRunner({ confinement: kind, requireConfinement: false }), {}, { command: ':' });
      found.set(kind, confinement);
    } catch {
      // Its tests are skipped.
    }
  }
  return found;
}

/** A folder that every user can enter, for copies of runs. It has to be empty when the tests are done. */
export async function folderForCopies(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'skill-runner-test-'));
  await chmod(folder, 0o777);
  afterAll(async () => {
    const left = await readdir(folder);
    await rm(folder, { recursive: true, force: true });
    expect(left).toEqual([]);
  });
  return folder;
}

export function runnerFor(kind: ProcessConfinementKind, temporaryFolder: string, options: ProcessRunnerOptions = {}): SkillRunner {
  return processRunner({ confinement: kind, requireConfinement: false, temporaryFolder, ...options });
}

/** Processes of this machine that have a text in their command line. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(text) ? [pid] : [];
    } catch {
      return [];
    }
  });
}
