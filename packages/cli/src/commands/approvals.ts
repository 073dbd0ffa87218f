import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileApprovalStore, type FileApprovalStore } from '@repertoire/skill-fs';
import type { Skill } from '@repertoire/skills-core';
import {
  approvalKey,
  contentOfSkill,
  filesSince,
  grantsIn,
  isAbout,
  isJsonObject,
  type JsonObject,
} from '@repertoire/skills-core/internal';
import { Argument, type Command } from 'commander';
import { findSkill } from '../source/find-skill.ts';
import { openSource } from '../source/open-source.ts';
import { readableTime } from '../text/readable-time.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/count.ts';
import { defaultApprovalFile } from './approve.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { refuseForeignOptions } from '../text/refuse-foreign-options.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface ApprovalsOptions {
  readonly label?: string;
  readonly scope: string;
  readonly file: string;
  readonly json?: boolean;
}

/** `repertoire approvals`: what people approved, and whether it still counts. */
export function approvalsCommand(command: Command, io: CommandIo): void {
  command
    .description('Lists what people approved, revokes it, or says why a skill is or is not approved as it is now.')
    .addArgument(new Argument('<action>', 'list all, revoke those of a skill, or say why').choices(['list', 'revoke', 'why']))
    .argument('[skill]', 'name of the skill, for revoke and why')
    .argument('[sources...]', 'for why: where the skill is')
    .option('--label <label>', 'for why: the label that the application gives the source')
    .option('--scope <scope>', 'for why: for whom it counts', '')
    .option('--file <file>', 'the file of approvals', defaultApprovalFile)
    .addHelpText('after', helpFooter)
    .action((action: 'list' | 'revoke' | 'why', skill: string | undefined, words: string[], options: ApprovalsOptions) =>
      runCommand(io, options, async (report) => {
        refuseForeignOptions(command, action, { label: ['why'], scope: ['why'] });
        await requireFile(path.resolve(io.cwd, options.file), options.file);
        const store = fileApprovalStore(path.resolve(io.cwd, options.file));
        if (action === 'list') return await list(store);
        if (skill === undefined) throw wrongUsage(`approvals ${action} needs the name of a skill.`);
        return action === 'revoke' ? await revoke(store, skill) : await why(store, skill, words, options, io, report);
      }),
    );
}

const helpFooter = `
Examples:
  repertoire approvals list
  repertoire approvals revoke helper
  repertoire approvals why helper ./vendor-skills

Exit codes: 0 done, 1 it is not approved as it is now, or there is nothing to revoke, 2 wrong usage.`;

/** A file that is spelt wrong looks like one in which nothing is approved. */
async function requireFile(full: string, named: string): Promise<void> {
  if ((await stat(full).catch(() => null))?.isFile() !== true)
    throw wrongUsage(`There is no file of approvals at ${named}. Name it with --file; repertoire approve makes one.`);
}

/** The remembered answers: those for single loads and calls are not among them. */
async function remembered(store: FileApprovalStore): Promise<readonly (readonly [string, JsonObject])[]> {
  return [...(await store.list())].flatMap(([key, value]) =>
    key.startsWith('skill-') && isJsonObject(value) ? [[key, value] as const] : [],
  );
}

async function list(store: FileApprovalStore): Promise<CommandResult> {
  const answers = (await remembered(store)).map(([, value]) => value);
  const rows = answers.map((answer) => [
    wordOf(answer, 'name'),
    wordOf(answer, 'source'),
    wordOf(answer, 'content').slice(0, 16),
    answer['never'] === true ? 'never' : grantsIn(answer).join(' '),
    readableTime(wordOf(answer, 'at')),
    wordOf(answer, 'by'),
  ]);
  const approvals = answers.map(({ files: _files, kind: _kind, level: _level, revision: _revision, ...answer }) => answer);
  return { summary: rows.length === 0 ? 'Nothing is approved.' : columns(rows), data: { approvals } };
}

async function revoke(store: FileApprovalStore, skill: string): Promise<CommandResult> {
  const found = (await remembered(store)).filter(([, answer]) => answer['name'] === skill);
  for (const [key] of found) await store.delete(key);
  const summary = found.length === 0 ? `Nothing is approved for ${skill}.` : `Revoked: ${count(found.length, 'approval')} of ${skill}.`;
  return { summary, data: { skill, revoked: found.length }, hasFindings: found.length === 0 };
}

async function why(
  store: FileApprovalStore,
  word: string,
  words: readonly string[],
  { label, scope }: ApprovalsOptions,
  io: CommandIo,
  report: CommandReport,
): Promise<CommandResult> {
  await using source = await openSource(words, io, report, { digests: true });
  const found = await findSkill(source.provider, word, io.signal);
  const content = await contentOfSkill(source.provider, found, { signal: io.signal });
  const skill: Skill = label === undefined || found.origin === undefined ? found : { ...found, origin: { ...found.origin, label } };
  const answers = await store.list();
  const key = approvalKey(scope, skill);
  const last = answers.get(`last-${key}`);
  // A load that was approved once leaves what it was, and no approval.
  const answer = answers.get(key) ?? (isJsonObject(last) && last['kind'] === 'skill' ? last : undefined);
  const isOfNow = isJsonObject(answer) && isAbout(answer, skill, content);
  const isNow = isOfNow && answers.has(key) && answer['never'] !== true;
  const reason = reasonOf(skill, content, isJsonObject(answer) ? answer : undefined, isNow);
  return { summary: reason, data: { skill: skill.name, content, approved: isNow, reason }, hasFindings: !isNow };
}

function reasonOf({ name, origin, resources }: Skill, content: string | null, answer: JsonObject | undefined, isNow: boolean): string {
  if (answer?.['never'] === true) return `Somebody said never to ${name}, whatever its content. Revoke that to be asked again.`;
  if (content === null) return `${name} cannot be approved for good: its source does not say which files it has.`;
  if (answer === undefined) return `Nobody approved ${name} of ${origin?.label ?? 'its source'}.`;
  if (isNow) return `${name} is approved as it is now: ${grantsIn(answer).join(', ')}.`;
  const { added, changed, removed } = filesSince(isJsonObject(answer['files']) ? answer['files'] : {}, resources);
  const files = [...changed, ...added.map((file) => `${file} (added)`), ...removed.map((file) => `${file} (removed)`)];
  return `${name} changed since it was approved at ${wordOf(answer, 'at')}: ${files.length === 0 ? 'SKILL.md' : files.join(', ')}.`;
}

function wordOf(answer: JsonObject, field: string): string {
  const value = answer[field];
  return typeof value === 'string' ? value : '';
}
