import path from 'node:path';
import { fileApprovalStore } from '@repertoire/skill-fs';
import { SkillError, type SkillGrant } from '@repertoire/skills-core';
import { allGrants, approvalKey, approvalRecord, contentOfSkill, identityOptions, whatItAsks } from '@repertoire/skills-core/internal';
import { readListing } from '@repertoire/skills-core/provider';
import { Option, type Command } from 'commander';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { jsonOption, runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';

interface ApproveOptions {
  readonly grant?: readonly SkillGrant[];
  readonly skill?: readonly string[];
  readonly label?: string;
  readonly scope: string;
  readonly by?: string;
  readonly file: string;
  readonly json?: boolean;
}

/** Where answers are kept, unless a person says otherwise. */
export const defaultApprovalFile = 'approvals.json';

/** `repertoire approve`: remembers a yes for the present content of skills. */
export function approveCommand(program: Command, io: CommandIo): void {
  program
    .command('approve')
    .summary('approve the present content of skills, for what they ask or less')
    .description(
      'Writes into a file of approvals that these skills, with exactly these files, may be loaded and have the grants. A change asks again.',
    )
    .argument('<sources...>', 'folders, archives, URLs, MCP servers or storage')
    .addOption(new Option('--grant <grants...>', 'what is granted; else what each skill asks for').choices(allGrants))
    .option('--skill <names...>', 'only these skills')
    .option('--label <label>', 'the label that the application gives the source; else as it is listed here')
    .option('--scope <scope>', 'for whom it counts, as `scope` of the application says', '')
    .option('--by <name>', 'your name, for whoever looks at the file later')
    .option('--file <file>', 'the file of approvals', defaultApprovalFile)
    .option(...jsonOption)
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: ApproveOptions) =>
      runCommand(io, options, async (report) => await approve(words, options, io, report)),
    );
}

const helpFooter = `
Examples:
  repertoire approve ./vendor-skills --skill helper
  repertoire approve https://example.com --label acme --grant load tools

Exit codes: 0 done, 1 a skill cannot be approved, 2 wrong usage.`;

async function approve(words: readonly string[], options: ApproveOptions, io: CommandIo, report: CommandReport): Promise<CommandResult> {
  const { file, grant, label, scope, by, skill: names } = options;
  const { signal } = io;
  await using source = await openSource(words, io, report, { digests: true });
  const { skills } = await readListing(source.provider, { signal });
  const missing = names?.find((name) => !skills.some((skill) => skill.name === name));
  if (missing !== undefined) throw new SkillError('skill-not-found', `No skill is named ${JSON.stringify(missing)}.`, { skill: missing });
  const store = fileApprovalStore(path.resolve(io.cwd, file));
  const approved: object[] = [];
  for (const listed of skills.filter(({ name }) => names === undefined || names.includes(name))) {
    const found = await source.provider.getSkill(listed.name, { ...identityOptions(listed), signal });
    const content = found && (await contentOfSkill(source.provider, found, { signal }));
    if (found === null || typeof content !== 'string') {
      throw new SkillError('unsupported', `The files of ${JSON.stringify(listed.name)} have no digests, so nobody can approve them.`, {
        skill: listed.name,
      });
    }
    const { origin } = found;
    const skill = label === undefined || origin === undefined ? found : { ...found, origin: { ...origin, label } };
    const grants = grant ?? whatItAsks(skill).map(({ grant: asked }) => asked);
    const record = approvalRecord(scope, skill, content, { grants, at: new Date().toISOString(), ...(by !== undefined && { by }) });
    await store.set(approvalKey(scope, skill), JSON.stringify(record));
    approved.push({ skill: skill.name, source: record.source, place: record.place, version: skill.version, content, grants });
  }
  return { summary: `Approved in ${file}: ${count(approved.length, 'skill')}, each as it is now.`, data: { file, approved } };
}
