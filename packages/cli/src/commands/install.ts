import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { compareText } from '@repertoire/skills-core/internal';
import { parseSkillLock } from '@repertoire/skill-trust/lock';
import { sha256Hex } from '@repertoire/skills-core/provider';
import type { Command } from 'commander';
import { InstalledSkills, type FilesByPath, type InstallChanges, type InstalledSkill } from '../install/installed-skills.ts';
import { isRisky, offeredSkills, offersText, offerText, wholeText, type OfferedSkill } from '../install/offered-skills.ts';
import { updateLock } from '../proposals/update-lock.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { wrongUsage } from '../text/wrong-usage.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';

interface InstallOptions {
  readonly into?: string;
  readonly user?: boolean;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly accept?: string;
  readonly show?: boolean;
  readonly check?: boolean;
  readonly force?: boolean;
  readonly verbose?: boolean;
  readonly lock: string;
  readonly json?: boolean;
}

/**
 * Where project and user keep skills, for agents of every kind; the first that is there is taken.
 */
const places = ['.agents/skills', '.claude/skills'] as const;

/** More names than these are counted. */
const mostNames = 10;

function folderOf({ into, user = false }: InstallOptions, io: CommandIo): string {
  if (into !== undefined && user) throw wrongUsage('--into and --user name two folders. Give one of them.');
  if (into !== undefined) return path.resolve(io.cwd, into);
  const base = user ? (io.env['HOME'] ?? io.env['USERPROFILE'] ?? homedir()) : io.cwd;
  return path.join(base, places.find((place) => existsSync(path.join(base, place))) ?? places[0]);
}

const options = (command: Command): Command =>
  command
    .option('--into <folder>', `the folder of skills; else ${places.join(' or ')}, whichever is there`)
    .option('--user', 'the folder in your home folder instead of the one of the project')
    .option('--lock <file>', 'a lock file to pin the skills in, where there is one', 'skills.lock.json');

const accepting = (command: Command): Command =>
  options(command)
    .option('--yes', 'ask nobody; what has findings needs --accept, too')
    .option('--accept <digest>', 'the digest that --show printed: you have read what it showed')
    .option('--show', 'write nothing: print every text whole, and the digest to accept it');

/**
 * `repertoire add`: skills of a repository, site, server, archive or folder, into a folder of
 * yours.
 */
export function addCommand(command: Command, io: CommandIo): void {
  accepting(command)
    .description('Reads skills whole, says what they ask for, asks, and writes them into the folder where agents keep skills.')
    .argument('<source>', 'where they are, with @version or @ref behind it; see below')
    .argument('[skills...]', 'which ones; else the only one')
    .option('--all', 'all skills of the source')
    .addHelpText('after', `\n  github:owner/repository[/folder][@ref], or owner/repository${sourceHelp}${addFooter}`)
    .action((named: string, names: string[], given: InstallOptions) =>
      runCommand(io, given, async (report) => {
        const full = path.resolve(io.cwd, named);
        // What belongs to a person is updated from anywhere.
        const word = given.user === true && existsSync(full) ? full : named;
        await using installed = await InstalledSkills.open(folderOf(given, io));
        const offered = await offeredSkills(word, { names: names.length === 0 ? undefined : names, all: given.all }, io, report);
        for (const { name } of offered) await assertNobodysOwn(installed, name, given, io);
        return await write(offered, installed, given, io, report);
      }),
    );
}

const addFooter = `
Examples:
  repertoire add github:acme/skills@v2 billing
  repertoire add https://skills.example.com --all --into ./skills
  repertoire add ./vendor.skill --show                 reads it; prints the digest for --accept
  repertoire add acme/skills billing --yes             in a script: refused if a reviewer should look

Exit codes: 0 done, 1 refused or not found, 2 wrong usage.`;

/** `repertoire update`: newer contents of what was installed. */
export function updateCommand(command: Command, io: CommandIo): void {
  accepting(command)
    .description('Looks at the source of each installed skill, says what would newly be allowed, asks, and writes what changed.')
    .argument('[skills...]', 'which ones; else all')
    .option('--check', 'write nothing: 1 if a skill was changed by hand, or its source has another content')
    .option('--force', 'also replace what was changed by hand')
    .addHelpText('after', updateFooter)
    .action((names: string[], given: InstallOptions) => runCommand(io, given, async (report) => await update(names, given, io, report)));
}

const updateFooter = `
Examples:
  repertoire update --check          in CI
  repertoire update billing

Exit codes: 0 done or up to date, 1 refused, changed or outdated, 2 wrong usage.`;

/** `repertoire remove`: takes away what add installed. */
export function removeCommand(command: Command, io: CommandIo): void {
  options(command)
    .description('Removes the folders of installed skills. What was changed by hand stays, unless --force says otherwise.')
    .argument('<skills...>', 'which ones')
    .option('--force', 'also remove what was changed by hand')
    .addHelpText('after', removeFooter)
    .action((names: string[], given: InstallOptions) =>
      runCommand(io, given, async (report) => {
        await using installed = await InstalledSkills.open(folderOf(given, io));
        for (const name of names) {
          if (installed.get(name) === undefined) throw notInstalled(name);
          await assertNobodysOwn(installed, name, given, io);
        }
        await installed.change(new Map(names.map((name) => [name, null])));
        await pin(names, given, io, report);
        return { summary: `Removed ${someNames(names)}.`, data: { removed: names } };
      }),
    );
}

const removeFooter = `
Examples:
  repertoire remove billing
  repertoire remove billing --into ./skills --force

Exit codes: 0 done, 1 refused or not found, 2 wrong usage.`;

async function update(names: readonly string[], given: InstallOptions, io: CommandIo, report: CommandReport): Promise<CommandResult> {
  const folder = folderOf(given, io);
  await using installed = await InstalledSkills.open(folder);
  const unknown = names.find((name) => installed.get(name) === undefined);
  if (unknown !== undefined) throw notInstalled(unknown);
  if (given.check === true && installed.all.length === 0)
    throw wrongUsage(
      `Nothing is recorded as installed in ${path.relative(io.cwd, folder)}. Name the folder with --into; add makes the record.`,
    );
  const wanted = installed.all.filter(([name]) => names.length === 0 || names.includes(name));
  const byHand: string[] = [];
  for (const [name, { content }] of wanted) if ((await installed.contentOf(name, io.signal)) !== content) byHand.push(name);
  const offered: OfferedSkill[] = [];
  const unseen = new Set<string>();
  const isThere = (name: string, content: string): boolean =>
    installed.get(name)?.content === content && !(byHand.includes(name) && given.force === true);
  for (const [source, own] of Map.groupBy(wanted, ([, entry]) => entry.source)) {
    const gone = (error: SkillError): void => {
      if (error.skill !== undefined) unseen.add(error.skill);
      report.error(error);
    };
    const before = async (name: string): Promise<FilesByPath> => await installed.filesOf(name, io.signal);
    try {
      offered.push(...(await offeredSkills(source, { names: own.map(([name]) => name), gone, isThere }, io, report, before)));
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      // A source that is away keeps no other from being looked at.
      for (const [name] of own) unseen.add(name);
      report.error(error);
    }
  }
  const outdated = offered.map(({ name }) => name).filter((name) => !byHand.includes(name));
  const data = { changed: byHand, outdated };
  const looked = count(wanted.length - unseen.size, 'skill');
  if (given.check === true) {
    const lines = [
      ...byHand.map((name) => `${name} is not as it was installed.`),
      ...outdated.map((name) => `${name} has another content at its source.`),
    ];
    const isFine = lines.length === 0;
    return {
      summary: isFine ? `${looked} as installed, and up to date.` : lines.join('\n'),
      data,
      hasFindings: !isFine,
    };
  }
  if (byHand.length > 0 && given.force !== true) throw changedByHand(byHand);
  if (offered.length === 0) return { summary: `${looked} up to date.`, data: { ...data, written: [] } };
  return await write(offered, installed, given, io, report);
}

/** Asks, and writes what was said yes to. */
async function write(
  offered: readonly OfferedSkill[],
  installed: InstalledSkills,
  given: InstallOptions,
  io: CommandIo,
  report: CommandReport,
): Promise<CommandResult> {
  const digest = await sha256Hex(
    new TextEncoder().encode(
      offered
        .map(({ name, entry }) => `${name}\0${entry.content}`)
        .sort(compareText)
        .join('\n'),
    ),
  );
  const data = { skills: offered.map(({ name, entry, allows, findings }) => ({ name, ...entry, allows, findings })) };
  if (given.show === true) {
    const texts = await Promise.all(offered.map(async (each) => `${offerText(each)}\n${await wholeText(each)}`));
    return { summary: `${texts.join('\n\n')}\n\nTo accept what stands above: --accept ${digest}`, data: { ...data, digest, written: [] } };
  }
  if (given.accept !== undefined && given.accept !== digest)
    throw new SkillError(
      'permission-denied',
      'The source has something else than what was shown. Read it again: --show prints it with its digest.',
    );
  // What was accepted by its digest was read.
  if (given.accept === undefined) report.note(offersText(offered, given.verbose === true));
  const risky = offered.filter(isRisky);
  if (given.accept === undefined && !(await mayWrite(offered, risky, given, io, report)))
    return { summary: 'Nothing was written.', data: { ...data, written: [] }, hasFindings: true };
  const changes: InstallChanges = new Map(offered.map(({ name, files, entry }) => [name, { files, entry }]));
  await installed.change(changes);
  const names = offered.map(({ name }) => name);
  await pin(names, given, io, report);
  return {
    summary: `Wrote ${someNames(names)} to ${path.relative(io.cwd, folderOf(given, io)) || '.'}.`,
    data: { ...data, written: names },
  };
}

function someNames(names: readonly string[]): string {
  return names.length <= mostNames ? names.join(', ') : `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`;
}

async function mayWrite(
  offered: readonly OfferedSkill[],
  risky: readonly OfferedSkill[],
  given: InstallOptions,
  io: CommandIo,
  report: CommandReport,
): Promise<boolean> {
  if (given.yes === true && risky.length === 0) return true;
  if (given.yes === true || io.ask === undefined) {
    const why = risky.length > 0 ? `A person should read ${someNames(risky.map(({ name }) => name))} first` : 'Nobody can be asked here';
    throw new SkillError(
      'permission-denied',
      `${why}, so nothing was written. Run it with --show, and then with --accept and the digest${risky.length > 0 ? '' : ', or with --yes'}.`,
    );
  }
  for (let hasRead = risky.length === 0; ;) {
    const choices = hasRead ? '[y/N, s shows all texts]' : '[s shows all texts, N]';
    const answer = (await io.ask(`Write ${count(offered.length, 'skill')}? ${choices} `, io.signal)).trim().toLowerCase();
    if (answer === 's') {
      for (const each of offered) report.note(await wholeText(each));
      hasRead = true;
    } else if (hasRead && (answer === 'y' || answer === 'yes')) return true;
    else return false;
  }
}

/** Pins what was written where the project has a lock. */
async function pin(names: readonly string[], given: InstallOptions, io: CommandIo, report: CommandReport): Promise<void> {
  const file = path.resolve(io.cwd, given.lock);
  if (!existsSync(file)) return;
  const folder = path.relative(io.cwd, folderOf(given, io)) || '.';
  // Labels are part of a lock: it is read as `lock write` reads it, with the folder or without
  // words.
  const isNamed = given.into !== undefined || parseSkillLock(await readFile(file, 'utf8')).skills.some(({ source }) => source === folder);
  await using source = await openSource(isNamed ? [folder] : [], io, report);
  const { signed } = await updateLock(file, source.provider, names, io.signal);
  for (const name of signed) {
    report.diagnostic({
      code: 'lock-not-updated',
      severity: 'warning',
      message: `${given.lock} says who signed ${name}, so it was left as it is.`,
      fix: 'Run: repertoire lock write, with --root or --public-key.',
      skill: name,
    });
  }
}

/** What somebody wrote or changed by hand is not replaced. */
async function assertNobodysOwn(installed: InstalledSkills, name: string, { force = false }: InstallOptions, io: CommandIo): Promise<void> {
  const there = await installed.contentOf(name, io.signal);
  const entry: InstalledSkill | undefined = installed.get(name);
  if (there === null || there === entry?.content || force) return;
  if (entry !== undefined) throw changedByHand([name]);
  throw new SkillError('duplicate-skill', `There is a folder ${name} already, and add did not write it. Rename or remove it first.`, {
    skill: name,
  });
}

function changedByHand(names: readonly string[]): SkillError {
  return new SkillError(
    'skill-changed',
    `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} changed by hand since the installation. Keep the change elsewhere, or give --force.`,
    {
      skill: names[0],
    },
  );
}

function notInstalled(name: string): SkillError {
  return new SkillError('skill-not-found', `${JSON.stringify(name)} was not installed by add into this folder. --into names another one.`, {
    skill: name,
  });
}
