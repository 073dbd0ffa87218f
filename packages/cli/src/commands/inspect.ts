import path from 'node:path';
import { fileApprovalStore } from '@repertoire/skill-fs';
import type { SkillProposalRecord } from '@repertoire/skill-proposals';
import { folderProposalStore } from '@repertoire/skill-proposals/node';
import { parseSkillLock } from '@repertoire/skill-trust/lock';
import { Option, type Command } from 'commander';
import { checkProposal, openCheckedLibrary } from '../proposals/check-proposal.ts';
import { runServing, type Serving } from '../serve/run-serving.ts';
import { listSource, openSource, type OpenedSource } from '../source/open-source.ts';
import { readTextFile } from '../source/read-text-file.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { replaceFile } from '../text/replace-file.ts';
import { addTrustOptions, type TrustOptions } from '../trust/trust-options.ts';
import { type CommandIo, type CommandReport } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface InspectCommandOptions extends TrustOptions {
  readonly export?: string;
  readonly transcript?: readonly string[];
  readonly lock?: string;
  readonly approvals?: string;
  readonly proposals?: string;
  readonly maxTokens?: number;
  readonly port: number;
  readonly json?: boolean;
}

/** `repertoire inspect`: serves a local page that shows what an agent sees. */
export function inspectCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Serves a page on this machine until Ctrl-C: what skills cost, which are alike, the exact prompt, and recorded conversations.\nOnly this machine can reach it, and only with the token of the address.',
    )
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .option(
      '--transcript <files...>',
      'recorded conversations: AI SDK, LangGraph, OpenAI Agents, events, OpenTelemetry spans, Claude Code sessions',
    )
    .option('--lock <file>', 'hold the skills to the bytes of a lock file')
    .option('--approvals <file>', 'what people approved: the file of approve, or of the application')
    .option('--proposals <folder>', 'what agents proposed: the store of proposals');
  addTrustOptions(command)
    .addOption(new Option('--max-tokens <count>', 'the most tokens of the catalog').argParser(parseWhole(1)))
    .addOption(new Option('--port <number>', 'the port; 0 takes a free one').argParser(parseWhole(0, 65_535)).default(0))
    .option('--export <file>', 'write one self-contained HTML file instead of serving')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action(async (words: string[], options: InspectCommandOptions) => {
      await runServing(io, options, async (serving, report) => await inspect(words, options, serving, report, io));
    });
}

const helpFooter = `
Examples:
  repertoire inspect ./skills
  repertoire inspect ./skills --transcript chat.json --lock skills.lock.json
  repertoire inspect ./skills --export report.html               one file to send to somebody

Exit codes: 0 written, 1 it could not be read or served, 2 wrong usage, 130 ended by Ctrl-C.`;

async function inspect(words: readonly string[], options: InspectCommandOptions, serving: Serving, report: CommandReport, io: CommandIo) {
  // Agents load with digests. Without them, replays would show other revisions.
  const source = (serving.source = await openSource(words, io, report, { digests: true }));
  const { inspectorReport, startInspector } = await import('@repertoire/inspector');
  const skills = (await listSource(source, io, report)).skills.length;
  const common = { provider: source.provider, title: titleOf(source), ...(await filesOf(options, io)) };
  if (options.export !== undefined) {
    const file = reportFile(options.export, options, io.cwd);
    const onProgress = (read: number, total: number): void => report.progress(`Reading skills: ${read} of ${total}`);
    await replaceFile(file, await inspectorReport({ ...common, onProgress, signal: io.signal }));
    return { summary: `Wrote ${options.export}: ${count(skills, 'skill')}.`, data: { file: options.export, skills } };
  }
  const inspector = await startInspector({ ...common, ...reviewOf(options, source, io), port: options.port });
  serving.running = inspector;
  return { summary: `Open ${inspector.url}\nStop with Ctrl-C.`, data: { url: inspector.url, skills } };
}

function reportFile(named: string, { approvals, proposals }: InspectCommandOptions, cwd: string): string {
  if (approvals !== undefined || proposals !== undefined)
    throw wrongUsage('A report is sent to others, so it has no approvals and no proposals. Leave them out.');
  const file = path.resolve(cwd, named);
  if (path.basename(file).toLowerCase() === 'skill.md')
    throw wrongUsage(`--export ${JSON.stringify(named)} is the file of a skill. Give a name such as report.html.`);
  return file;
}

/** The title of the library. Secrets in addresses are left out. */
function titleOf({ parts, roots }: OpenedSource): string {
  const folders = roots.map(({ path: root, label }) => label ?? String(root));
  return [...folders, ...parts.flatMap((part) => (part.roots === null ? [part.label] : []))].join(', ');
}

function reviewOf({ approvals, proposals }: InspectCommandOptions, { provider }: OpenedSource, { cwd, signal }: CommandIo) {
  const store = proposals === undefined ? undefined : folderProposalStore(path.resolve(cwd, proposals));
  return {
    ...(approvals !== undefined && { approvals: fileApprovalStore(path.resolve(cwd, approvals)) }),
    ...(store !== undefined && {
      proposals: {
        store,
        // The same checks as those of `proposals check`, of the library as it is now.
        check: async (record: SkillProposalRecord) =>
          await checkProposal(record, await openCheckedLibrary(provider, store, signal), signal),
      },
    }),
  };
}

async function filesOf({ transcript = [], lock, root = [], publicKey = [], maxTokens }: InspectCommandOptions, io: CommandIo) {
  const read = async (files: readonly string[], option: string): Promise<string[]> =>
    await Promise.all(files.map(async (file) => await readTextFile(file, option, io.cwd)));
  const texts = await read(transcript, '--transcript');
  return {
    recordings: transcript.map((file, index) => ({ title: path.basename(file), text: texts[index] ?? '' })),
    ...(lock !== undefined && { lock: parseSkillLock(await readTextFile(lock, '--lock', io.cwd)) }),
    roots: await read(root, '--root'),
    publicKeys: await read(publicKey, '--public-key'),
    ...(maxTokens !== undefined && { settings: { maxTokens } }),
  };
}
