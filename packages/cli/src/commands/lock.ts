import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import {
  compareSkillLocks,
  createSkillLock,
  diffSkillLock,
  parseSkillLock,
  renderSkillLockDiff,
  serializeSkillLock,
  type SkillLock,
} from '@repertoire/skills-core/lock';
import { Argument, Option, type Command } from 'commander';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { jsonOption, runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';

interface LockCommandOptions {
  readonly file: string;
  readonly frozen?: boolean;
  readonly json?: boolean;
}

/** `repertoire lock`: a file with the digests of all skills, and whether they are still the same. */
export function lockCommand(program: Command, io: CommandIo): void {
  program
    .command('lock')
    .summary('write or verify a file that pins skills to their bytes')
    .description('Writes a file with the digest of every file of every skill, or verifies that sources still serve exactly these bytes.')
    .addArgument(new Argument('<action>', 'write the file, or verify the sources against it').choices(['write', 'verify']))
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .option('--file <file>', 'the lock file', 'skills.lock.json')
    .addOption(new Option('--frozen', 'with write: change nothing; exit with 1 where the file would change'))
    .option(...jsonOption)
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((action: 'write' | 'verify', words: string[], options: LockCommandOptions) =>
      runCommand(io, options, async (report) => {
        if (action === 'verify' && options.frozen === true)
          throw new SkillError('invalid-options', '--frozen is for lock write; verify never changes the file.');
        return action === 'write' ? await write(words, options, report, io) : await verify(words, options, report, io);
      }),
    );
}

const helpFooter = `
Examples:
  repertoire lock write ./skills
  repertoire lock write ./skills --frozen                        in CI
  repertoire lock verify https://example.com --file skills.lock.json

Exit codes: 0 done and the same, 1 something differs or cannot be read, 2 wrong usage.`;

async function write(
  words: readonly string[],
  { file, frozen = false }: LockCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<CommandResult> {
  const full = path.resolve(io.cwd, file);
  await using source = await openSource(words, io, report);
  const lock = await createSkillLock(source.provider, { signal: io.signal });
  const before = await readLock(full).catch((error: unknown) => {
    if (!SkillError.isInstance(error)) throw error;
    report.note(`${file} is replaced, since it cannot be read. ${error.message}`);
    return null;
  });
  const text = serializeSkillLock(lock);
  const diff = before === null ? null : compareSkillLocks(before, lock);
  const changed = diff === null || !diff.same;
  const data = { file, skills: lock.skills.length, changed, ...(diff !== null && { diff }) };
  if (diff !== null && !diff.same) report.note(renderSkillLockDiff(diff));
  if (frozen) {
    if (!changed) return { summary: `${file} is up to date: ${count(lock.skills.length, 'skill')}.`, data };
    return { summary: `${file} is out of date. Review the changes, then run lock write without --frozen.`, data, hasFindings: true };
  }
  if (changed) {
    const temporary = `${full}.${process.pid}.tmp`;
    await writeFile(temporary, text);
    await rename(temporary, full);
  }
  return { summary: `${changed ? 'Wrote' : 'Left as it was:'} ${file}: ${count(lock.skills.length, 'skill')}.`, data };
}

async function verify(
  words: readonly string[],
  { file }: LockCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<CommandResult> {
  const full = path.resolve(io.cwd, file);
  const lock = await readLock(full);
  if (lock === null) {
    throw new SkillError('invalid-options', `There is no lock file ${file}. Make one with lock write, or give --file.`, { path: full });
  }
  await using source = await openSource(words, io, report);
  const diff = await diffSkillLock(lock, source.provider, { signal: io.signal });
  const data = { file, skills: lock.skills.length, same: diff.same, diff };
  if (diff.same) return { summary: `The skills are those of ${file}: ${count(lock.skills.length, 'skill')}.`, data };
  return { summary: `${renderSkillLockDiff(diff)}\nThe skills are not those of ${file}.`, data, hasFindings: true };
}

/** `null` if there is no such file. @throws {SkillError} `invalid-options` for one that is no lock */
async function readLock(full: string): Promise<SkillLock | null> {
  const text = await readFile(full, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : parseSkillLock(text);
}
