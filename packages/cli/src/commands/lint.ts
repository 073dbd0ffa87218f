import path from 'node:path';
import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { Option, type Command } from 'commander';
import { pluginFindings } from '../agent-plugin/plugin-findings.ts';
import { readConfig } from '../config/read-config.ts';
import type { RepertoireConfig } from '../config/repertoire-config.ts';
import { chooseRules } from '../lint/choose-rules.ts';
import { fixFindings } from '../lint/fix-findings.ts';
import { githubAnnotations } from '../lint/github-annotations.ts';
import { judgeFindings, type LintChoice, type LintResult, type LintSubject } from '../lint/judge-findings.ts';
import { LintCache, openLintCache } from '../lint/lint-cache.ts';
import type { LintedSkill } from '../lint/lint-one.ts';
import type { LintRule } from '../lint/lint-rule.ts';
import { lintRules } from '../lint/lint-rules.ts';
import { lintSource } from '../lint/lint-source.ts';
import { lintText } from '../lint/lint-text.ts';
import { extensionField } from '../lint/rules/format-rules.ts';
import { sarifOf } from '../lint/sarif.ts';
import { unreadByAgents } from '../lint/unread-by-agents.ts';
import { changedFolders } from '../source/changed-folders.ts';
import { FolderTree } from '../source/folder-tree.ts';
import { openSource, type OpenedSource } from '../source/open-source.ts';
import { inFolders, skillsOfSource } from '../source/skills-of-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { ownVersion } from '../text/own-version.ts';
import { hasColors, jsonText, runCommand, type CommandIo, type CommandReport } from './command.ts';

interface LintCommandOptions {
  readonly style?: boolean;
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  readonly tools?: readonly string[];
  readonly maxWarnings?: number;
  readonly fix?: boolean;
  readonly since?: string;
  readonly config?: string;
  readonly cache: boolean;
  readonly format: 'text' | 'sarif' | 'github';
  readonly json?: boolean;
}

/** `repertoire lint`: mistakes that the standard allows and that authors do not want. */
export function lintCommand(command: Command, io: CommandIo): void {
  command
    .description(
      'Finds mistakes in skills, what `check` refuses and `doctor` finds skipped among them. Rules of correctness are on; rules of style are off unless you ask for them.\nSee docs/reference/lint-rules.md for each rule with examples.',
    )
    .argument('[sources...]', 'folders, globs, SKILL.md files, archives, URLs, MCP servers or storage')
    .option('--style', 'apply the rules of style too')
    .option('--only <rules>', 'apply only these rules, with commas between them', parseNames)
    .option('--ignore <rules>', 'do not apply these rules, with commas between them', parseNames)
    .option('--tools <names>', 'names of the tools that your agent has, with commas between them, for wrong-tool', parseNames)
    .addOption(new Option('--max-warnings <count>', 'let this many warnings pass').argParser(parseWhole(0)))
    .option('--since <commit>', 'report only on skills of which a file changed since a commit, branch or tag of git; only in folders')
    .option('--fix', 'fix what can be fixed without changing what the skill says; only in folders')
    .option('--config <file>', 'read this configuration instead of repertoire.config.json; a module runs')
    .option('--no-cache', 'read every file again, also those that did not change')
    .addOption(
      new Option('--format <format>', 'how findings are printed').choices(['text', 'sarif', 'github']).default('text').conflicts('json'),
    )
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: LintCommandOptions) =>
      runCommand(io, options, async (report) => await lint(words, options, report, io)),
    );
}

const helpFooter = `
Rules of correctness, on by default:
${ruleLines('correctness')}
Rules of style, with --style:
${ruleLines('style')}
Examples:
  repertoire lint ./skills
  repertoire lint ./skills --style --ignore description-length
  repertoire lint ./skills --tools search_orders,refund_order
  repertoire lint ./skills --fix
  repertoire lint https://example.com --style
  repertoire lint ./skills --format sarif > lint.sarif
  repertoire lint ./skills --format github            in a GitHub workflow

A file ignores a rule by a comment in it: <!-- repertoire-ignore dead-link -->

Exit codes: 0 nothing was found, 1 something was found or cannot be read, 2 wrong usage.`;

async function lint(words: readonly string[], options: LintCommandOptions, report: CommandReport, io: CommandIo) {
  const config = await readConfig(io, options.config, report);
  const choice = await chooseRules(options, config, io.cwd);
  await using source = await openSource(words.length === 0 ? (config.sources ?? []) : words, io, report);
  const tree = new FolderTree();
  const found = await skillsOfSource(source, io, report, tree);
  if (options.fix === true) inFolders(source, found.skills, '--fix changes files');
  if (options.since !== undefined) inFolders(source, found.skills, '--since compares folders with git');
  const folders = source.parts.flatMap(({ roots, plugins }) => roots ?? (plugins === null ? [] : [plugins]));
  lookIntoPlugins(source, tree);
  const { plugins, diagnostics: ofPlugins } = await pluginFindings(tree, found.skills, io.cwd);
  // A plugin is read by its source, too.
  const known = new Set(ofPlugins.map(keyOf));
  const notes = ofPlugins.filter(({ severity }) => severity === 'info');
  const told: SkillDiagnostic[] = [...found.diagnostics.filter((one) => !known.has(keyOf(one))), ...notes];
  const settings = { tools: options.tools ?? config.tools, budgets: config.budgets ?? {}, forPeople: config.forPeople ?? [] };
  const rules = [...choice.rules.keys()];
  const key = [io.cwd, folders, settings, rules.map(({ id }) => id)];
  const cache = options.cache ? openLintCache(io.env, ownVersion(), key) : new LintCache(null);
  const heard = { ...report, diagnostic: (diagnostic: SkillDiagnostic) => void told.push(diagnostic) };
  const read = await lintSource(found.skills, rules, settings, cache, heard, io, tree);
  told.push(...(await cache.unread(found.skills.length, tree, async () => await unreadByAgents(source, io, report))));
  const concerned = options.since === undefined ? read : await changedSince(read, options.since, io.cwd);
  const checked = options.since === undefined ? plugins : await changedSince(plugins, options.since, io.cwd);
  told.push(...read.flatMap(unknownIgnores), ...refusedFields(read, options, choice, config));
  const [errors, others] = [told.filter(isError), told.filter((one) => !isError(one))];
  for (const error of withoutCopies(errors)) report.error(notLoaded(error));
  report.diagnostics(withoutCopies(others));
  const { results: all, ignored } = judgeFindings(read, choice, cache, plugins);
  cache.save();
  const counting = new Set<LintSubject>([...concerned, ...checked]);
  const results = all.filter(({ skill }) => counting.has(skill));
  const fixed = options.fix === true ? await fixFindings(results) : [];
  const left = results.filter((result) => !fixed.includes(result));
  for (const { diagnostic } of fixed) report.note(`Fixed ${diagnostic.code} in ${diagnostic.path ?? ''}.`);
  const warnings = left.filter(({ severity }) => severity === 'warning').length;
  const maxWarnings = options.maxWarnings ?? config.maxWarnings ?? 0;
  return {
    ...printed(left, rules, { skills: concerned.length, fixed: fixed.length, ignored, maxWarnings }, options, io),
    data: {
      skills: concerned.length,
      findings: left.map(({ diagnostic }) => diagnostic),
      fixed: fixed.map(({ diagnostic }) => diagnostic),
      ignored,
    },
    hasFindings: left.length > warnings || warnings > maxWarnings,
  };
}

function ruleLines(kind: LintRule['kind']): string {
  return lintRules
    .filter((rule) => rule.kind === kind)
    .map(({ id, summary }) => `  ${id.padEnd(27)} ${summary}\n`)
    .join('');
}

/** The entries of folders of plugins, of which some have no skill. */
function lookIntoPlugins({ parts }: Pick<OpenedSource, 'parts'>, tree: FolderTree): void {
  for (const { plugins } of parts) {
    if (plugins === null) continue;
    for (const entry of tree.entriesOf(plugins)) if (!entry.isFile()) tree.entriesOf(path.join(plugins, entry.name));
  }
}

async function changedSince<Subject extends LintSubject>(all: readonly Subject[], commit: string, cwd: string): Promise<Subject[]> {
  const folders = all.flatMap((each) => (each.facts.folder === null ? [] : [{ each, folder: each.facts.folder }]));
  return (await changedFolders(folders, commit, cwd)).map(({ each }) => each);
}

/** A comment with a slip in it ignores nothing, and nobody would notice. */
function unknownIgnores({ facts: { name, path: shown }, ignores }: LintedSkill): SkillDiagnostic[] {
  return ignores.flatMap(({ file, rules, line }) =>
    rules
      .filter((rule) => !lintRules.some(({ id }) => id === rule))
      .map((rule) => ({
        code: 'ignore-unknown',
        severity: 'warning' as const,
        message: `A comment ignores the rule ${JSON.stringify(rule)}, which does not exist.`,
        skill: name,
        path: file === null ? shown : path.join(path.dirname(shown), file),
        line,
        fix: 'Write the name of a rule: see repertoire lint --help.',
      })),
  );
}

/** What `check` refuses and only rules of style find, in one line. */
function refusedFields(
  skills: readonly LintedSkill[],
  { only, ignore = [] }: LintCommandOptions,
  choice: LintChoice,
  config: RepertoireConfig,
): SkillDiagnostic[] {
  const refused = skills.filter(({ hasExtensionField }) => hasExtensionField).length;
  const isDecided = only !== undefined || ignore.includes(extensionField.id) || config.rules?.[extensionField.id] !== undefined;
  if (refused === 0 || isDecided || choice.rules.has(extensionField)) return [];
  return [
    {
      code: 'extension-field',
      severity: 'info',
      message: `The reference validator of the standard, and so repertoire check, refuses ${count(refused, 'skill')} for fields that the standard does not have.`,
      fix: 'Run lint with --only extension-field to see them, or set the rule to "off" in the configuration.',
    },
  ];
}

/** Sources that overlap say the same. */
function withoutCopies(diagnostics: readonly SkillDiagnostic[]): SkillDiagnostic[] {
  return [...new Map(diagnostics.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ code, message }: SkillDiagnostic): string {
  return `${code}\0${message}`;
}

function isError({ severity }: SkillDiagnostic): boolean {
  return severity === 'error';
}

/** A skill that its source cannot load has no file to be linted. */
function notLoaded({ message, fix, skill, path: place }: SkillDiagnostic): SkillError {
  return new SkillError('invalid-skill', fix === undefined ? message : `${message} ${fix}`, { skill, path: place });
}

interface Counts {
  readonly skills: number;
  readonly fixed: number;
  readonly ignored: number;
  readonly maxWarnings: number;
}

function printed(
  left: readonly LintResult[],
  rules: readonly LintRule[],
  { skills, fixed, ignored, maxWarnings }: Counts,
  { format, json }: LintCommandOptions,
  io: CommandIo,
): { readonly summary: string; readonly isStyled?: boolean } {
  if (format === 'sarif') return { summary: jsonText(sarifOf(left, rules, io.cwd, '1')) };
  if (format === 'github') return { summary: githubAnnotations(left.map(({ diagnostic }) => diagnostic)) };
  const errors = left.filter(({ severity }) => severity === 'error').length;
  const parts = [
    left.length === 0 ? 'nothing was found' : `${count(errors, 'error')}, ${count(left.length - errors, 'warning')}`,
    ...(maxWarnings > 0 && left.length > errors ? [`of which ${Math.min(maxWarnings, left.length - errors)} may stay`] : []),
    ...(fixed === 0 ? [] : [`${fixed} fixed`]),
    ...(ignored === 0 ? [] : [`${ignored} ignored`]),
  ];
  const summary = `${count(skills, 'skill')} checked: ${parts.join(', ')}.`;
  if (json === true || left.length === 0) return { summary };
  return { summary: `${lintText(left, hasColors(io.stdout, io.env))}\n\n${summary}`, isStyled: true };
}
