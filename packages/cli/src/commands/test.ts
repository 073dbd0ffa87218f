import path from 'node:path';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { measureActivation } from '../activation/measure-activation.ts';
import { measureEffect } from '../activation/measure-effect.ts';
import { UsageMeter, type TokenPrices } from '../activation/usage.ts';
import { readConfig } from '../config/read-config.ts';
import type { EvalItem } from '../evals/eval-item.ts';
import { readLibrary, type TestedLibrary } from '../evals/read-library.ts';
import { chooseRules } from '../lint/choose-rules.ts';
import { judgeFindings } from '../lint/judge-findings.ts';
import { openLintCache } from '../lint/lint-cache.ts';
import { lintSource } from '../lint/lint-source.ts';
import { openModel } from '../model/open-model.ts';
import { baselineOf, compareRouting, serializeBaseline } from '../routing/baseline.ts';
import { readBaseline } from '../routing/read-baseline.ts';
import { routeLibrary } from '../routing/route-library.ts';
import { openSource, type OpenedSource } from '../source/open-source.ts';
import { skillsOfSource } from '../source/skills-of-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { judgeResult } from '../test-report/judge-result.ts';
import { junitReport } from '../test-report/junit-report.ts';
import { markdownReport } from '../test-report/markdown-report.ts';
import type { TestResult } from '../test-report/test-result.ts';
import { textReport } from '../test-report/text-report.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { ownVersion } from '../text/own-version.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { replaceFile } from '../text/replace-file.ts';
import { runCommand, type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface TestCommandOptions {
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly bodies?: boolean;
  readonly lint: boolean;
  readonly minFirst?: number;
  readonly model?: string;
  readonly skills?: readonly string[];
  readonly runs: number;
  readonly effect?: boolean;
  readonly judge?: string;
  readonly minActivation?: number;
  readonly maxFalse?: number;
  readonly prices?: TokenPrices;
  readonly concurrency: number;
  readonly junit?: string;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** Fewer tries say nothing: three of three is anything from 44 % on. */
const leastRuns = 5;

/** `repertoire test`: does the right skill get chosen, and does it help? */
export function testCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Lints skills, sends the requests of evals/evals.json and of trigger files through the library without a model, and finds skills that take requests from each other.\nWith --model, measures how often a model loads each skill. See docs/guide/testing-skills.md.',
    )
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .option(
      '--baseline <file or commit>',
      'fail only for what became worse since: a file of --write-baseline, a lock file, or a commit of git',
    )
    .option('--write-baseline <file>', 'write how requests are routed now')
    .option('--bodies', 'rank by instructions too, not only by names and descriptions')
    .option('--no-lint', 'do not lint')
    .addOption(new Option('--min-first <share>', 'fail where fewer requests find their own skill first: 0.8').argParser(parseShare))
    .option('--model <model>', 'measure with this model: anthropic/…, openai/…, or a module ./model.mjs')
    .option('--skills <names>', 'with --model: measure only these skills, with commas between them', parseNames)
    .addOption(
      new Option('--runs <count>', `with --model: tries for each request, at least ${leastRuns}`)
        .argParser(parseWhole(leastRuns, 1_000))
        .default(leastRuns),
    )
    .option('--effect', 'with --model: also compare answers with and without each skill, by their assertions')
    .option('--judge <model>', 'with --effect: the model that reads the answers; else the same')
    .addOption(new Option('--min-activation <share>', 'with --model: fail where a skill is loaded less often').argParser(parseShare))
    .addOption(
      new Option('--max-false <share>', 'with --model: fail where a skill is loaded more often for requests of others').argParser(
        parseShare,
      ),
    )
    .addOption(
      new Option('--prices <input,output>', 'with --model: prices of a million tokens, to tell the cost: 3,15').argParser(parsePrices),
    )
    .addOption(new Option('--concurrency <count>', 'with --model: requests at a time').argParser(parseWhole(1, 100)).default(4))
    .option('--junit <file>', 'write the result as JUnit XML')
    .option('--markdown <file>', 'write the result as Markdown, for a pull request')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: TestCommandOptions) =>
      runCommand(io, options, async (report) => await test(words, options, report, io)),
    );
}

const helpFooter = `
Examples:
  repertoire test ./skills
  repertoire test ./skills --baseline origin/main         in a pull request
  repertoire test ./skills --write-baseline routing.json
  repertoire test ./skills --junit report.xml --markdown report.md
  repertoire test ./skills --model anthropic/claude-sonnet-4-5 --runs 10 --min-activation 0.8

Exit codes: 0 passed, 1 something was found or cannot be read, 2 wrong usage.`;

async function test(words: readonly string[], options: TestCommandOptions, report: CommandReport, io: CommandIo): Promise<CommandResult> {
  checkOptions(options);
  // A model's agent holds what it loads, as it will in production.
  await using source = await openSource(words, io, report, { digests: options.model !== undefined });
  const library = await readLibrary(source.provider, report, io.signal, source.parts);
  report.diagnostics(library.diagnostics);
  if (library.skills.length === 0)
    throw new SkillError('skill-not-found', 'There is no skill to test. A skill is a folder with a SKILL.md.');
  const found = {
    ...(await routeAndLint(library, source, options, report, io)),
    measured: await measure(library, source, options, report, io),
  };
  const isBroken = library.diagnostics.some(({ severity }) => severity === 'error');
  const result: TestResult = { ...found, failures: judgeResult(found, options as Parameters<typeof judgeResult>[1]) };
  if (options.writeBaseline !== undefined) await write(options.writeBaseline, serializeBaseline(baselineOf(result.routing)), io);
  if (options.junit !== undefined) await write(options.junit, junitReport(result), io);
  if (options.markdown !== undefined) await write(options.markdown, markdownReport(result), io);
  return { summary: textReport(result), data: { ...result }, hasFindings: result.failures.length > 0 || isBroken };
}

function checkOptions(options: TestCommandOptions): void {
  if (options.model !== undefined) {
    if (options.judge !== undefined && options.effect !== true) throw wrongUsage('--judge is for --effect.');
    return;
  }
  const given = (['skills', 'effect', 'judge', 'minActivation', 'maxFalse', 'prices'] as const).find((name) => options[name] !== undefined);
  if (given !== undefined) {
    const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw wrongUsage(`--${flag} needs a model. Give --model, such as anthropic/claude-sonnet-4-5.`);
  }
}

async function routeAndLint(
  library: TestedLibrary,
  source: OpenedSource,
  { lint: isLinted, bodies = false, baseline }: TestCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<Pick<TestResult, 'lint' | 'places' | 'routing' | 'regressions'>> {
  const folders = source.roots.map(({ path: folder }) => String(folder));
  const { lint, places } = isLinted ? await lintErrors(source, report, io) : { lint: null, places: {} };
  report.progress(`Routing ${count(library.items.length, 'request')}…`);
  const routing = await routeLibrary(library.skills, library.items, { bodies, signal: io.signal });
  if (baseline === undefined) return { lint, places, routing, regressions: null };
  const before = await readBaseline(baseline, { library, folders, bodies, io, report });
  return { lint, places, routing, regressions: compareRouting(before, routing) };
}

/** Errors of correctness. Warnings are for `repertoire lint`. */
async function lintErrors(
  source: OpenedSource,
  report: CommandReport,
  io: CommandIo,
): Promise<Pick<TestResult, 'places'> & { readonly lint: SkillDiagnostic[] }> {
  const config = await readConfig(io);
  const { skills } = await skillsOfSource(source, io, report);
  const settings = { tools: config.tools, budgets: config.budgets ?? {}, forPeople: config.forPeople ?? [] };
  const choice = await chooseRules({}, config, io.cwd);
  const rules = [...choice.rules].flatMap(([rule, severity]) => (severity === 'error' ? [rule] : []));
  const key = [io.cwd, source.roots.map(({ path: root }) => String(root)), settings, rules.map(({ id }) => id)];
  const cache = openLintCache(io.env, ownVersion(), key);
  // What was not looked into, `repertoire lint` says.
  const linted = await lintSource(skills, rules, settings, cache, { ...report, diagnostic: () => undefined }, io);
  const { results } = judgeFindings(linted, choice, cache);
  cache.save();
  return {
    lint: results.filter(({ severity }) => severity === 'error').map(({ diagnostic }) => diagnostic),
    places: Object.fromEntries(linted.map(({ facts: { name, path: file, descriptionLine: line } }) => [name, { path: file, line }])),
  };
}

async function measure(
  library: TestedLibrary,
  source: OpenedSource,
  { model: id, judge, skills, runs, effect = false, prices, concurrency }: TestCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<TestResult['measured']> {
  if (id === undefined) return null;
  const items = itemsOf(library, skills);
  const { model } = await openModel(id, io);
  const judging = judge === undefined ? model : (await openModel(judge, io)).model;
  const usage = new UsageMeter();
  const common = { provider: source.provider, items, model, runs, concurrency, usage, signal: io.signal };
  report.note(`Asking ${id}: ${count(items.length, 'request')}, ${runs} times each${effect ? ', and with and without the skill' : ''}.`);
  const onProgress = (done: number, total: number): void => report.progress(`${done} of ${total} tries…`);
  const activation = await measureActivation({ ...common, onProgress });
  const effects = effect ? await measureEffect({ ...common, judge: judging, onProgress }) : null;
  return { model: id, runs, activation, effect: effects, usage: usage.total(prices) };
}

function itemsOf({ items, skills: all }: TestedLibrary, wanted: readonly string[] | undefined): readonly EvalItem[] {
  const unknown = wanted?.find((name) => !all.some((skill) => skill.name === name));
  if (unknown !== undefined) throw new SkillError('skill-not-found', `No skill is named ${JSON.stringify(unknown)}.`, { skill: unknown });
  const chosen = wanted === undefined ? items : items.filter(({ skill }) => wanted.includes(skill));
  if (chosen.length > 0) return chosen;
  throw wrongUsage('There are no requests to measure with. Write evals/evals.json into a skill; see docs/guide/testing-skills.md.');
}

async function write(file: string, text: string, { cwd }: CommandIo): Promise<void> {
  await replaceFile(path.resolve(cwd, file), text);
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Give a share from 0 to 1.');
}

function parsePrices(text: string): TokenPrices {
  const [input, output, ...rest] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (input !== undefined && output !== undefined && rest.length === 0 && input >= 0 && output >= 0) return { input, output };
  throw new InvalidArgumentError('Give two prices, such as 3,15.');
}
