import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import {
  acceptProposal,
  rejectProposal,
  restoredContent,
  statusOf,
  undoProposal,
  type SkillProposalRecord,
  type SkillProposalStore,
} from '@repertoire/skill-proposals';
import { contentToReview, isOpen, proposalOrders, proposalRow, type ProposalRow } from '@repertoire/skill-proposals/internal';
import { folderProposalStore } from '@repertoire/skill-proposals/node';
import { digestOfSkill, readListing, sha256Hex } from '@repertoire/skills-core/provider';
import { Argument, Option, type Command } from 'commander';
import { openModel } from '../model/open-model.ts';
import { checkProposal, openCheckedLibrary, type CheckedLibrary, type CheckedProposal } from '../proposals/check-proposal.ts';
import { changeText, proposedTexts } from '../proposals/change-text.ts';
import { proposalText } from '../proposals/proposal-text.ts';
import { readCases } from '../proposals/read-cases.ts';
import { signAgain } from '../proposals/sign-again.ts';
import { updateLock } from '../proposals/update-lock.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { readableTime } from '../text/readable-time.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { refuseForeignOptions } from '../text/refuse-foreign-options.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface ProposalsCommandOptions {
  readonly store: string;
  readonly skills: string;
  readonly lock: string;
  readonly by?: string;
  readonly digest?: string;
  readonly reason?: string;
  readonly despite?: readonly string[];
  readonly whole?: boolean;
  readonly key?: string;
  readonly certificate?: string;
  readonly all?: boolean;
  readonly sort: keyof typeof proposalOrders;
  readonly found?: readonly string[];
  readonly skill?: string;
  readonly model?: string;
  readonly runs: number;
  readonly cases?: string;
  readonly json?: boolean;
}

const actions = ['list', 'check', 'show', 'accept', 'reject', 'undo'] as const;
type Action = (typeof actions)[number];
const sorts = Object.keys(proposalOrders) as (keyof typeof proposalOrders)[];

/** Which options belong to some of the actions alone. */
const actionsOf: Readonly<Record<string, readonly Action[]>> = {
  by: ['accept', 'reject', 'undo'],
  digest: ['accept', 'undo'],
  despite: ['accept'],
  whole: ['show'],
  key: ['accept'],
  certificate: ['accept'],
  lock: ['accept', 'undo'],
  reason: ['reject'],
  model: ['check', 'show'],
  runs: ['check', 'show'],
  cases: ['check', 'show'],
  all: ['list'],
  sort: ['list'],
  found: ['list'],
  skill: ['list'],
};

interface Review {
  readonly store: SkillProposalStore;
  readonly provider: SkillProvider;
  readonly options: ProposalsCommandOptions;
  readonly io: CommandIo;
  readonly report: CommandReport;
}

/** `repertoire proposals`: what agents proposed, and what a person decides about it. */
export function proposalsCommand(command: Command, io: CommandIo): void {
  command
    .description('Shows what agents proposed and what it would newly allow, and writes what a person accepts into the folder of skills.')
    .addArgument(new Argument('<action>', 'what to do').choices([...actions]))
    .argument('[id]', 'the proposal; check without one checks all that are pending')
    .option('--store <folder>', 'the folder of proposals', 'proposals')
    .option('--skills <folder>', 'the folder of skills that they are for', 'skills')
    .option('--by <name>', 'your name, for accept, reject and undo')
    .option('--digest <content>', 'accept, undo: the digest that stands behind the text that you were shown')
    .option('--despite <codes>', 'accept: codes of errors that you accept, with commas between them', parseNames)
    .option('--whole', 'show: the whole skill, and not only what changes; the digest behind it says that you read all of it')
    .option('--key <file>', 'accept: the private key, as PEM, for a skill that is signed')
    .option('--certificate <file>', 'accept: the certificate of the key')
    .option('--lock <file>', 'a lock file to pin the skill in anew, where there is one', 'skills.lock.json')
    .option('--reason <text>', 'reject: why')
    .option('--model <model>', 'check, show: compare answers with and without it: anthropic/…, openai/…, or a module ./model.mjs')
    .addOption(new Option('--runs <count>', 'with --model: tries for each case').argParser(parseWhole(5, 1_000)).default(5))
    .option('--cases <file>', 'with --model: evaluations that no agent can read, beside those of the skills')
    .option('--all', 'list: those that were decided, too')
    .addOption(new Option('--sort <by>', 'list: worst first, newest first, or by skill').choices([...sorts]).default('found'))
    .option('--found <codes>', 'list: only those in which the checks found all of these, with commas between them', parseNames)
    .option('--skill <name>', 'list: only those for this skill')
    .addHelpText('after', helpFooter)
    .action((action: Action, id: string | undefined, options: ProposalsCommandOptions) =>
      runCommand(io, options, async (report) => {
        refuseForeignOptions(command, action, actionsOf);
        if (options.certificate !== undefined && options.key === undefined) throw wrongUsage('--certificate is for --key. Give that, too.');
        const folder = path.resolve(io.cwd, options.skills);
        const writes = action === 'accept' || action === 'undo';
        // A first proposal may come before the folder: accepting it makes that.
        const roots = [{ path: folder, optional: true }];
        await using provider = fileSystemSkillProvider({ roots, label: 'skills', staleAfterMs: 0, writable: writes });
        await requireStore(path.resolve(io.cwd, options.store), options.store);
        const review = { store: folderProposalStore(path.resolve(io.cwd, options.store)), provider, options, io, report };
        if (options.cases !== undefined && options.model === undefined)
          throw wrongUsage('--cases needs a model. Give --model, such as anthropic/claude-sonnet-4-5.');
        if (action === 'list') return await list(review);
        if (action === 'check') return await check(review, id);
        if (id === undefined) throw wrongUsage(`proposals ${action} needs the id of a proposal. proposals list prints them.`);
        return await ofOne[action](review, await recordOf(review, id));
      }),
    );
}

const helpFooter = `
Examples:
  repertoire proposals list --sort created --found injection
  repertoire proposals check                                    in CI: 1 where an error was found
  repertoire proposals check --model anthropic/claude-sonnet-4-5 --cases held-out.json
  repertoire proposals show weekly-report-0123456789abcdef
  repertoire proposals accept weekly-report-0123456789abcdef --by "Ada Lovelace" --digest 6b1f…
  repertoire proposals undo weekly-report-0123456789abcdef                shows what would come back
  repertoire proposals undo weekly-report-0123456789abcdef --by "Ada Lovelace" --digest 95a6…

Exit codes: 0 done, 1 something was found or refused, 2 wrong usage.`;

const ofOne: Readonly<Record<Exclude<Action, 'list' | 'check'>, (review: Review, record: SkillProposalRecord) => Promise<CommandResult>>> =
  {
    async show(review, record) {
      const { proposal } = record;
      const checked = await checkedOne(review, record);
      const { made } = await contentToReview(record, { provider: review.provider, signal: review.io.signal });
      const isWhole = review.options.whole === true;
      const shown = made === null ? proposedTexts(proposal) : await changeText(isWhole ? {} : (made.before?.files ?? {}), made.after.files);
      const content = made === null ? null : isWhole ? await wholeDigest(made.after.content) : made.after.content;
      const summary = [
        proposalText(proposal, checked),
        `  The whole text of the ${isWhole ? 'skill, as it would be' : 'change'}:\n${shown}`,
        // Behind the last line, so that nobody comes to it who was not shown the others.
        ...(content === null
          ? []
          : [`To accept exactly this: repertoire proposals accept ${proposal.id} --by "Your name" --digest ${content}`]),
      ].join('\n\n');
      return { summary, data: { proposal, decisions: decisionsOf(record), check: checked, shown, content } };
    },

    async accept(review, record) {
      const { store, provider, options, io } = review;
      const { id, skill } = record.proposal;
      const { by = '', digest = '', despite = [] } = options;
      const last = record.decisions.at(-1);
      // Of one that was begun, too: anybody who can write to the store can say that it was.
      const { findings } = isOpen(record) ? await checkedOne(review, record) : { findings: [] };
      const open = [...new Set(findings.flatMap(({ severity, code }) => (severity === 'error' && !despite.includes(code) ? [code] : [])))];
      if (open.length > 0) {
        const summary = `Nothing was written: the checks found ${open.join(', ')}. See proposals show ${id}; if that is right: --despite ${open.join(',')}`;
        return { summary, data: { id, refused: open }, hasFindings: true };
      }
      const seal = (files: Parameters<typeof signAgain>[1]) => signAgain(skill, files, options, io.cwd);
      const begun = record.decisions.findLast((decision) => decision.type === 'accepting');
      const { made } = await contentToReview(record, { provider, signal: io.signal });
      let [shown, wholeRead] = [digest, false];
      for (const each of [begun?.shown, made?.after.content])
        if (each !== undefined && (await wholeDigest(each)) === digest) [shown, wholeRead] = [each, true];
      const { content } =
        // Accepted by an earlier run that did not come to the lock.
        last?.type === 'accepted' && begun?.shown === shown
          ? last
          : await acceptProposal(store, provider, id, { by, content: shown, wholeRead, seal, signal: io.signal });
      return await withLock(review, skill, content, `Accepted: ${skill} is now what was proposed.`, { id, skill });
    },

    async reject({ store, options: { by = '', reason } }, { proposal: { id } }) {
      await rejectProposal(store, id, { by, reason });
      return { summary: `Rejected: ${id}. The same text will not be taken again.`, data: { id } };
    },

    async undo(review, record) {
      const { store, provider, options, io } = review;
      const { id, skill } = record.proposal;
      const last = record.decisions.at(-1);
      const done = `Undone: ${skill} is what it was before.`;
      // Undone by an earlier run that did not come to the lock.
      if (last?.type === 'undone' && options.digest === (last.content ?? removed))
        return await withLock(review, skill, last.content, done, { id, skill });
      if (options.digest === undefined) {
        const { before, after } = await restoredContent(provider, record, { signal: io.signal });
        const shown = await changeText(before?.files ?? {}, after?.files ?? {});
        const digest = after?.content ?? removed;
        const summary = [
          after === null ? `Undoing ${id} takes the skill ${skill} away again:` : `Undoing ${id} would write this into ${skill}:`,
          shown,
          `Nothing was written. To undo exactly so: repertoire proposals undo ${id} --by "Your name" --digest ${digest}`,
        ].join('\n\n');
        return { summary, data: { id, skill, shown, content: digest }, hasFindings: true };
      }
      const { content } = await undoProposal(store, provider, id, {
        by: options.by ?? '',
        content: options.digest === removed ? null : options.digest,
        signal: io.signal,
      });
      return await withLock(review, skill, content, done, { id, skill });
    },
  };

/**
 * The digest behind a view of the whole skill. It is another one, so that nobody says more than
 * they were shown.
 */
async function wholeDigest(content: string): Promise<string> {
  return await sha256Hex(`whole ${content}`);
}

/** In place of the digest of what comes back, where nothing does. */
const removed = 'removed';

async function list(review: Review): Promise<CommandResult> {
  const { store, provider, options, io, report } = review;
  const rows: ProposalRow[] = [];
  const ids = (await store.list()).toSorted();
  const { skills } = await readListing(provider, { signal: io.signal });
  const names = skills.map(({ name }) => name);
  for (const [index, id] of ids.entries()) {
    report.progress(`Reading proposals: ${index + 1} of ${ids.length}`);
    try {
      const record = await store.read(id);
      if (record === null || (options.all !== true && !isOpen(record))) continue;
      rows.push(await proposalRow(record, { store, provider, names, signal: io.signal }));
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      // One that is damaged hides no other.
      report.error(error);
    }
  }
  const { found, skill, sort } = options;
  const chosen = rows
    .filter(
      (row) =>
        (skill === undefined || row.skill === skill) && (found ?? []).every((code) => [...row.errors, ...row.warnings].includes(code)),
    )
    .sort(proposalOrders[sort]);
  const lines = chosen.map((row) => [
    row.id,
    row.status,
    row.isNew ? 'new skill' : 'change',
    readableTime(row.created),
    [
      ...(row.errors.length === 0 ? [] : [`errors: ${row.errors.join(', ')}`]),
      ...(row.warnings.length === 0 ? [] : [`warnings: ${row.warnings.join(', ')}`]),
    ].join('; '),
  ]);
  const left = rows.length - chosen.length;
  const total = `${count(chosen.length, 'proposal')}.${left === 0 ? '' : ` ${left} more are left out by --skill or --found.`}`;
  return { summary: [...(lines.length === 0 ? [] : [columns(lines)]), total].join('\n'), data: { proposals: chosen } };
}

/** A folder that is spelt wrong looks like one in which nothing waits. */
async function requireStore(folder: string, named: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw wrongUsage(`There is no folder of proposals at ${named}. Name it with --store; agents make it with their first proposal.`);
}

async function check(review: Review, id: string | undefined): Promise<CommandResult> {
  const { store, io, report } = review;
  const context = await openLibrary(review);
  const checked: CheckedProposal[] = [];
  const texts: string[] = [];
  for (const each of id === undefined ? (await store.list()).toSorted() : [id]) {
    report.progress(`Checking ${each}…`);
    try {
      const record = await recordOf(review, each);
      if (id === undefined && statusOf(record) !== 'pending') continue;
      const one = await checkProposal(record, context, io.signal);
      checked.push(one);
      texts.push(proposalText(record.proposal, one));
    } catch (error) {
      if (!SkillError.isInstance(error) || id !== undefined) throw error;
      // One that is damaged hides no other.
      report.error(error);
    }
  }
  const errors = checked.filter(({ findings }) => findings.some(({ severity }) => severity === 'error')).length;
  const summary = [...texts, `${count(checked.length, 'proposal')} checked, ${errors} with errors.`].join('\n\n');
  return { summary, data: { proposals: checked }, hasFindings: errors > 0 };
}

async function checkedOne(review: Review, record: SkillProposalRecord): Promise<CheckedProposal> {
  return await checkProposal(record, await openLibrary(review), review.io.signal);
}

async function openLibrary({ store, provider, options, io, report }: Review): Promise<CheckedLibrary> {
  const context = await openCheckedLibrary(provider, store, io.signal);
  if (options.model === undefined) return context;
  const { id, model } = await openModel(options.model, io);
  const cases = options.cases === undefined ? [] : await readCases(path.resolve(io.cwd, options.cases), report);
  report.note(`Asking ${id} each case ${options.runs} times, with and without the change.`);
  return { ...context, evidence: { id, model, runs: options.runs, items: [...context.library.items, ...cases] } };
}

async function recordOf({ store }: Review, id: string): Promise<SkillProposalRecord> {
  const record = await store.read(id);
  if (record !== null) return record;
  throw new SkillError('skill-not-found', `There is no proposal ${JSON.stringify(id)}. proposals list prints what there is.`);
}

/** Without the files that decisions keep for `undo`. */
function decisionsOf({ decisions }: SkillProposalRecord): unknown[] {
  return decisions.map((decision) =>
    decision.type === 'accepting' ? { ...decision, before: decision.before?.content ?? null } : decision,
  );
}

async function withLock(
  { provider, options, io, report }: Review,
  skill: string,
  content: string | null,
  done: string,
  data: Readonly<Record<string, unknown>>,
): Promise<CommandResult> {
  const file = path.resolve(io.cwd, options.lock);
  // The lock pins what was decided on, and not what somebody wrote since.
  if (existsSync(file) && ((await digestOfSkill(provider, skill, { signal: io.signal }))?.digest ?? null) !== content)
    throw new SkillError(
      'skill-changed',
      `The skill ${JSON.stringify(skill)} was changed since, so ${options.lock} is left as it is. Look at the skill, then run lock write.`,
      { skill },
    );
  const { lock: came, signed } = await updateLock(file, provider, [skill], io.signal);
  const lock = signed.length > 0 ? 'signed' : came;
  if (lock === 'signed') {
    report.diagnostic({
      code: 'lock-not-updated',
      severity: 'warning',
      message: `${options.lock} says who signed ${skill}, so it was left as it is, and refuses the skill.`,
      fix: 'Run lock write with --root or --public-key.',
      skill,
    });
  }
  return { summary: lock === 'updated' ? `${done} ${options.lock} was updated.` : done, data: { ...data, lock } };
}
