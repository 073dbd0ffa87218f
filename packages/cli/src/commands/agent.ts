import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentHost } from '@repertoire/declarative/node';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { Argument, Option, type Command } from 'commander';
import { environmentModels } from '../agent/environment-models.ts';
import { loadAgentHost } from '../agent/load-agent-host.ts';
import { openDeclarative, type Declarative } from '../agent/open-declarative.ts';
import { stepLines, stepMessage } from '../agent/step-lines.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { refuseForeignOptions } from '../text/refuse-foreign-options.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

type AgentAction = 'check' | 'graph' | 'run';

interface AgentCommandOptions {
  readonly host?: string;
  readonly within?: readonly string[];
  readonly trusted?: boolean;
  readonly out?: string;
  readonly input?: string;
  readonly answer?: readonly string[];
  readonly maxSteps?: number;
  readonly json?: boolean;
}

/** Which options belong to some of the actions alone. */
const actionsOf: Readonly<Record<string, readonly AgentAction[]>> = {
  host: ['check', 'run'],
  within: ['check', 'run'],
  trusted: ['check', 'run'],
  out: ['graph'],
  input: ['run'],
  answer: ['run'],
  maxSteps: ['run'],
};

/** `repertoire agent`: checks, draws or runs an agent that is written as YAML. */
export function agentCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Checks the file of an agent, draws its graph for Mermaid, or runs it once.\nThe file can use only what its host gives: by --host, by --within, and models by API keys of the environment.',
    )
    .addArgument(new Argument('<action>', 'check the file, draw its graph, or run it').choices(['check', 'graph', 'run']))
    .argument('<file>', 'the file of the agent')
    .option('--host <file>', 'check, run: a module of yours whose default export gives models, tools, sources. It runs as your code')
    .option('--within <folders...>', 'check, run: folders that paths of the file may lead into, besides its own')
    .option('--trusted', 'check, run: trust the skills that the file names by card or folder')
    .option('--input <text>', 'run: what a person says, or a JSON object with the state to begin with')
    .option('--answer <text...>', 'run: answers to what the agent asks, in order')
    .addOption(new Option('--max-steps <number>', 'run: the most steps of the graph').argParser(parseWhole(1)))
    .option('--out <file>', 'graph: write the picture into a file')
    .addHelpText('after', helpFooter)
    .action((action: AgentAction, file: string, options: AgentCommandOptions) =>
      runCommand(io, options, async (report) => {
        refuseForeignOptions(command, action, actionsOf);
        const declarative = await openDeclarative();
        return await { check, graph, run }[action](declarative, file, options, io, report);
      }),
    );
}

const helpFooter = `
Examples:
  repertoire agent check agents/support.agent.yaml --within skills
  repertoire agent graph agents/support.agent.yaml --out graph.mmd
  repertoire agent run agents/support.agent.yaml --within skills --input "Where is my parcel?"
  repertoire agent run agents/support.agent.yaml --host agents/host.ts --input '{"messages":[{"role":"user","content":"Hi"}]}'

Environment, for run without models of a host: OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL.

Exit codes: 0 done, 1 the file has errors, or the agent failed or waits for an answer, 2 wrong usage.`;

async function check(
  declarative: Declarative,
  file: string,
  options: AgentCommandOptions,
  io: CommandIo,
  report: CommandReport,
): Promise<CommandResult> {
  const host = await hostOf(options, io);
  const { ok, problems, lines } = await declarative.checkAgentFile(path.resolve(io.cwd, file), {
    ...host,
    fileName: file,
    signal: io.signal,
  });
  for (const [index, line] of lines.entries()) report.note(problems[index]?.severity === 'warning' ? `${line} (warning)` : line);
  if (problems.some(({ code }) => code === 'agent-host')) {
    report.note('What a host gives comes from --host <file>; other folders that paths may lead into, from --within <folders...>.');
  }
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const summary = ok ? `Valid agent: ${file}` : `${file} has ${count(errors, 'error')}.`;
  return { summary, data: { file, valid: ok, problems }, hasFindings: !ok };
}

async function graph(declarative: Declarative, file: string, { out }: AgentCommandOptions, io: CommandIo): Promise<CommandResult> {
  const { text } = await declarative.readAgentFile(path.resolve(io.cwd, file));
  const mermaid = await declarative.agentGraph(text, { fileName: file });
  if (out === undefined) return { summary: mermaid.trimEnd(), data: { file, mermaid } };
  const full = path.resolve(io.cwd, out);
  await mkdir(path.dirname(full), { recursive: true });
  const temporary = `${full}.${process.pid}.tmp`;
  await writeFile(temporary, `${mermaid.trimEnd()}\n`);
  await rename(temporary, full);
  return { summary: `Wrote ${out}.`, data: { file, out, mermaid } };
}

async function run(
  declarative: Declarative,
  file: string,
  options: AgentCommandOptions,
  io: CommandIo,
  report: CommandReport,
): Promise<CommandResult> {
  const { input, answer: answers, maxSteps } = options;
  if (input === undefined) throw wrongUsage('Give --input: what a person says, or a JSON object with the state to begin with.');
  const given = parseInput(input);
  const host = await hostOf(options, io);
  let answered = 0;
  const { text, messages, state, questions } = await declarative
    .runAgentFile(path.resolve(io.cwd, file), {
      ...host,
      models: host.models ?? environmentModels(io.env),
      fileName: file,
      signal: io.signal,
      input: given,
      recursionLimit: maxSteps,
      onDiagnostic: (problem) => report.diagnostic(problem),
      onStep: (step) => stepLines(step).forEach((line) => report.note(line)),
      ...(answers !== undefined && {
        answer: ({ value }) => {
          const next = answers[answered];
          if (next === undefined) throw wrongUsage(`The agent asks ${shown(value)}. Give one more --answer.`);
          answered += 1;
          report.note(`question: ${shown(value)}, answer: ${next}`);
          return next;
        },
      }),
    })
    .catch((error: unknown) => {
      throw tooManySteps(error) ?? failedInside(error, io.signal);
    });
  for (const { value } of questions) report.note(`The agent waits for an answer to ${shown(value)}. Give it with --answer <text>.`);
  const { messages: _messages, ...channels } = state;
  const data = { file, text, messages: messages.map(stepMessage), state: channels, questions };
  return { summary: text, data, hasFindings: questions.length > 0 };
}

async function hostOf({ host: file, within = [], trusted = false }: AgentCommandOptions, { cwd }: CommandIo): Promise<AgentHost> {
  const host = file === undefined ? {} : await loadAgentHost(path.resolve(cwd, file));
  const vouched = trusted || host.trusted === true;
  return {
    ...host,
    trusted: vouched,
    within: [...(host.within ?? []), ...within.map((folder) => path.resolve(cwd, folder))],
    sources: { folder: (location) => fileSystemSkillProvider({ roots: [{ path: location, trusted: vouched }] }), ...host.sources },
  };
}

/** Text, unless it begins as a JSON object does. */
function parseInput(input: string): string | Record<string, unknown> {
  if (!input.trimStart().startsWith('{')) return input;
  try {
    return JSON.parse(input) as Record<string, unknown>;
  } catch (cause) {
    throw wrongUsage(`--input begins as a JSON object and is none: ${(cause as Error).message}.`, { cause });
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

/** What a model, a tool of the host or the framework threw. */
function failedInside(error: unknown, signal: AbortSignal): unknown {
  if (SkillError.isInstance(error) || signal.aborted) return error;
  return new SkillError('agent-failed', `The agent failed: ${messageOf(error)}. Its model, a tool of the host or the framework says so.`, {
    cause: error,
  });
}

/** LangGraph tells its limit by an error of its own. */
function tooManySteps(error: unknown): SkillError | undefined {
  if (!(error instanceof Error) || (error as { readonly lc_error_code?: unknown }).lc_error_code !== 'GRAPH_RECURSION_LIMIT')
    return undefined;
  return new SkillError('limit-exceeded', 'The agent took more steps than it may. Look at the edges that lead back, or give --max-steps.', {
    cause: error,
  });
}
