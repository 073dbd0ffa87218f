import path from 'node:path';
import { fileApprovalStore } from '@repertoire/skill-fs';
import { SkillError, type SkillDiagnostic, type SkillGrant } from '@repertoire/skills-core';
import { allGrants, approvalKey, approvalRecord, contentOfSkill, identityOptions, whatItAsks } from '@repertoire/skills-core/internal';
import { readListing } from '@repertoire/skills-core/provider';
import { risksOfSkill } from '@repertoire/skill-proposals/internal';
import { Option, type Command } from 'commander';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';

interface ApproveOptions {
  readonly grant?: readonly SkillGrant[];
  readonly skill?: readonly string[];
  readonly label?: string;
  readonly scope: string;
  readonly by?: string;
  readonly despite?: readonly string[];
  readonly file: string;
  readonly json?: boolean;
}

/** Where answers are kept, unless a person says otherwise. */
export const defaultApprovalFile = 'approvals.json';

/** `repertoire approve`: remembers a yes for the present content of skills. */
export function approveCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Writes into a file of approvals that these skills, with exactly these files, may be loaded and have the grants. A change asks again.',
    )
    .argument('<sources...>', 'folders, archives, URLs, MCP servers or storage')
    .addOption(new Option('--grant <grants...>', 'what is granted; else what each skill asks for').choices(allGrants))
    .option('--skill <names...>', 'only these skills')
    .option('--label <label>', 'the label that the application gives the source; else as it is listed here')
    .option('--scope <scope>', 'for whom it counts, as `scope` of the application says', '')
    .option('--by <name>', 'your name, for whoever looks at the file later')
    .option('--despite <codes>', 'codes of errors in the texts that you accept, with commas between them', parseNames)
    .option('--file <file>', 'the file of approvals', defaultApprovalFile)
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: ApproveOptions) =>
      runCommand(io, options, async (report) => await approve(words, options, io, report)),
    );
}

const helpFooter = `
Examples:
  repertoire approve ./vendor-skills --skill helper
  repertoire approve https://example.com --label acme --grant load tools
  repertoire approve ./vendor-skills --despite reads-secrets

Exit codes: 0 done, 1 a skill cannot be approved or read, 2 wrong usage.`;

async function approve(words: readonly string[], options: ApproveOptions, io: CommandIo, report: CommandReport): Promise<CommandResult> {
  const { file, grant, label, scope, by, skill: names, despite = [] } = options;
  const { signal } = io;
  await using source = await openSource(words, io, report, { digests: true });
  const { skills, diagnostics } = await readListing(source.provider, { signal });
  // A skill that cannot be read would look like one that is approved with the others.
  report.diagnostics(diagnostics);
  const missing = names?.find((name) => !skills.some((skill) => skill.name === name));
  if (missing !== undefined) throw new SkillError('skill-not-found', `No skill is named ${JSON.stringify(missing)}.`, { skill: missing });
  const store = fileApprovalStore(path.resolve(io.cwd, file));
  const approved: { skill: string; key: string; record: ReturnType<typeof approvalRecord>; version: string | null }[] = [];
  const risks: SkillDiagnostic[] = [];
  const wanted = skills.filter(({ name }) => names === undefined || names.includes(name));
  for (const [index, listed] of wanted.entries()) {
    report.progress(`Reading ${index + 1} of ${count(wanted.length, 'skill')}…`);
    const found = await source.provider.getSkill(listed.name, { ...identityOptions(listed), signal });
    const content = found && (await contentOfSkill(source.provider, found, { signal }));
    if (found === null || typeof content !== 'string') {
      throw new SkillError('unsupported', `The files of ${JSON.stringify(listed.name)} have no digests, so nobody can approve them.`, {
        skill: listed.name,
      });
    }
    risks.push(...(await risksOfSkill(source.provider, found, signal)));
    const { origin } = found;
    const skill = label === undefined || origin === undefined ? found : { ...found, origin: { ...origin, label } };
    const grants = grant ?? whatItAsks(skill).map(({ grant: asked }) => asked);
    const record = approvalRecord(scope, skill, content, { grants, at: new Date().toISOString(), ...(by !== undefined && { by }) });
    approved.push({ skill: skill.name, key: approvalKey(scope, skill), record, version: skill.version });
  }
  report.diagnostics(risks);
  const open = [...new Set(risks.flatMap(({ severity, code }) => (severity === 'error' && !despite.includes(code) ? [code] : [])))];
  if (open.length > 0) {
    const summary = `Nothing was approved: the texts have ${open.join(', ')}. Read them; if they are right: --despite ${open.join(',')}`;
    return { summary, data: { file, approved: [], refused: open }, hasFindings: true };
  }
  await Promise.all(approved.map(({ key, record }) => store.set(key, JSON.stringify(record))));
  const told = approved.map(({ skill, version, record: { source: label_, place, content, grants } }) => ({
    skill,
    source: label_,
    place,
    version,
    content,
    grants,
  }));
  return { summary: `Approved in ${file}: ${count(approved.length, 'skill')}, each as it is now.`, data: { file, approved: told } };
}
