import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSkillLock, diffSkillLock, parseSkillLock, serializeSkillLock, type LockSignerOf } from '@repertoire/skill-trust/lock';
import { risksOfSkill } from '@repertoire/skill-proposals/internal';
import { SkillError, type SkillDiagnostic, type SkillLock, type SkillProvider } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';
import { Argument, Option, type Command } from 'commander';
import { pinnedOfSource } from '../agent-plugin/plugins-of-source.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { replaceFile } from '../text/replace-file.ts';
import { addTrustOptions, trustsSomebody, type TrustOptions } from '../trust/trust-options.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { refuseForeignOptions } from '../text/refuse-foreign-options.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface LockCommandOptions extends TrustOptions {
  readonly acceptSigner?: readonly string[];
  readonly file: string;
  readonly frozen?: boolean;
  readonly json?: boolean;
}

/** `repertoire lock`: writes or verifies the digests of all skills. */
export function lockCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Writes a file with the digest of every file of every skill, or verifies that sources still serve exactly these bytes. Of plugins, every file and what each server starts or connects to.',
    )
    .addArgument(new Argument('<action>', 'write the file, or verify the sources against it').choices(['write', 'verify']))
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .option('--file <file>', 'the lock file', 'skills.lock.json')
    .addOption(new Option('--frozen', 'with write: change nothing; exit with 1 where the file would change'));
  addTrustOptions(command)
    .option('--accept-signer <names...>', 'with write: skills that may be signed by somebody else from now on, or by nobody')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((action: 'write' | 'verify', words: string[], options: LockCommandOptions, self: Command) =>
      runCommand(io, options, async (report) => {
        refuseForeignOptions(self, action, { frozen: ['write'], acceptSigner: ['write'] });
        return action === 'write' ? await write(words, options, report, io) : await verify(words, options, report, io);
      }),
    );
}

const helpFooter = `
Examples:
  repertoire lock write ./skills
  repertoire lock write ./skills --frozen                        in CI
  repertoire lock write ./skills --root root.pem                 who signed each skill, too
  repertoire lock write ./skills --root root.pem --accept-signer billing
  repertoire lock verify https://example.com --file skills.lock.json

Exit codes: 0 done and the same, 1 something differs or cannot be read, 2 wrong usage.`;

async function write(words: readonly string[], options: LockCommandOptions, report: CommandReport, io: CommandIo): Promise<CommandResult> {
  const { file, frozen = false, acceptSigner = [] } = options;
  const full = path.resolve(io.cwd, file);
  await using source = await openSource(words, io, report);
  const before = await readLock(full).catch((error: unknown) => {
    if (!SkillError.isInstance(error)) throw error;
    report.note(`${file} is replaced, since it cannot be read. ${error.message}`);
    return null;
  });
  if (before !== null && namesSigners(before) && !trustsSomebody(options)) {
    throw wrongUsage(`${file} says who signed the skills. Give --root or --public-key, so that this is verified again.`);
  }
  const lock = await createSkillLock(source.provider, {
    signal: io.signal,
    signerOf: await signerOf(options, io.cwd),
    plugins: await pinnedOfSource(source, io.signal),
  });
  const refused = changedSigners(before, lock).filter(({ name }) => !acceptSigner.includes(name));
  const text = serializeSkillLock(lock);
  const diff = before === null ? null : await diffSkillLock(before, lock);
  // Signers that are recorded for the first time change the file and no skill.
  const changed = before === null || serializeSkillLock(before) !== text;
  const data = { file, skills: lock.skills.length, changed, ...(diff !== null && { diff }) };
  const anew = diff === null ? null : new Set([...diff.added, ...diff.changed].map(({ name }) => name));
  report.diagnostics(await toBeRead(source.provider, anew, report, io.signal));
  if (diff !== null && !diff.same) report.note(diff.text);
  if (refused.length > 0) {
    const names = [...new Set(refused.map(({ name }) => name))].join(' ');
    const lines = refused.map(({ name, pinned, now }) => `${name} is signed by ${now ?? 'nobody'}, and was signed by ${pinned}.`);
    const summary = `${lines.join('\n')}\n${file} was left as it was. If that is right: --accept-signer ${names}`;
    return { summary, data: { ...data, changed: false, signers: refused }, hasFindings: true };
  }
  if (frozen) {
    if (!changed) return { summary: `${file} is up to date: ${count(lock.skills.length, 'skill')}.`, data };
    return { summary: `${file} is out of date. Review the changes, then run lock write without --frozen.`, data, hasFindings: true };
  }
  if (changed) await replaceFile(full, text);
  return { summary: `${changed ? 'Wrote' : 'Left as it was:'} ${file}: ${count(lock.skills.length, 'skill')}.`, data };
}

/** What a person should have read of skills that are pinned anew, and what cannot be read. */
async function toBeRead(
  provider: SkillProvider,
  names: ReadonlySet<string> | null,
  report: CommandReport,
  signal: AbortSignal,
): Promise<SkillDiagnostic[]> {
  const { skills, diagnostics } = await readListing(provider, { signal });
  const found: SkillDiagnostic[] = [...diagnostics];
  for (const { name, version } of skills.filter((skill) => names === null || names.has(skill.name))) {
    report.progress(`Reading ${name}…`);
    const skill = await provider.getSkill(name, { version, signal });
    if (skill !== null) found.push(...(await risksOfSkill(provider, skill, signal)));
  }
  return found;
}

async function verify(words: readonly string[], options: LockCommandOptions, report: CommandReport, io: CommandIo): Promise<CommandResult> {
  const { file } = options;
  const full = path.resolve(io.cwd, file);
  const lock = await readLock(full);
  if (lock === null) {
    throw wrongUsage(`There is no lock file ${file}. Make one with lock write, or give --file.`, { path: full });
  }
  await using source = await openSource(words, io, report);
  if (namesSigners(lock) && !trustsSomebody(options)) {
    report.diagnostic({
      code: 'signers-not-verified',
      severity: 'warning',
      message: `${file} says who signed the skills. Only their bytes are compared.`,
      fix: 'Give --root or --public-key to verify the signers, too.',
    });
  }
  const signers = await signerOf(options, io.cwd);
  const diff = await diffSkillLock(lock, source.provider, {
    signal: io.signal,
    signerOf: signers,
    plugins: await pinnedOfSource(source, io.signal),
  });
  const data = { file, skills: lock.skills.length, same: diff.same, signersVerified: signers !== undefined, diff };
  if (diff.same) return { summary: `The skills are those of ${file}: ${count(lock.skills.length, 'skill')}.`, data };
  return { summary: `${diff.text}\nThe skills are not those of ${file}.`, data, hasFindings: true };
}

/** Imports what verifies only where it is asked for. */
async function signerOf(options: LockCommandOptions, cwd: string): Promise<LockSignerOf | undefined> {
  if (!trustsSomebody(options)) return undefined;
  const [{ openVerifier }, { lockSigner }] = await Promise.all([
    import('../trust/open-verifier.ts'),
    import('@repertoire/skill-trust/provider'),
  ]);
  return lockSigner(await openVerifier(options, cwd));
}

function namesSigners({ skills }: SkillLock): boolean {
  return skills.some(({ signer }) => signer !== undefined && signer !== null);
}

/** A new version of a skill is the same skill. */
function changedSigners(
  before: SkillLock | null,
  now: SkillLock,
): { readonly name: string; readonly pinned: string; readonly now: string | null }[] {
  return now.skills.flatMap(({ name, signer = null }) => {
    const pinned = (before?.skills ?? []).flatMap((skill) => (skill.name === name && skill.signer ? [skill.signer] : []));
    const [first] = pinned;
    if (first === undefined || pinned.some(({ id }) => id === signer?.id)) return [];
    return [{ name, pinned: first.name, now: signer?.name ?? null }];
  });
}

/** `null` if there is no such file. @throws {SkillError} `invalid-options` if it is no lock */
async function readLock(full: string): Promise<SkillLock | null> {
  const text = await readFile(full, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : parseSkillLock(text);
}
