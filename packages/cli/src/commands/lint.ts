import { createSkillset, SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import { Option, type Command } from 'commander';
import { fixFindings } from '../lint/fix-findings.ts';
import { githubAnnotations } from '../lint/github-annotations.ts';
import type { LintFile, LintRule, LintSettings, LintSkill } from '../lint/lint-rule.ts';
import { lintRules } from '../lint/lint-rules.ts';
import { scriptNotExecutable } from '../lint/rules/file-rules.ts';
import { invalidSteps } from '../lint/rules/format-rules.ts';
import { stepsChecker } from '../lint/steps-checker.ts';
import { lintSkills, type LintResult } from '../lint/lint-skills.ts';
import { readLintSkill } from '../lint/read-lint-skill.ts';
import { nearName } from '../lint/near-name.ts';
import { sarifOf } from '../lint/sarif.ts';
import { changedFolders } from '../source/changed-folders.ts';
import { openSource, type OpenedSource } from '../source/open-source.ts';
import { inFolders, isInFolder, skillsOfSource } from '../source/skills-of-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseNames } from '../text/parse-names.ts';
import { jsonOption, jsonText, runCommand, type CommandIo, type CommandReport } from './command.ts';

interface LintCommandOptions {
  readonly style?: boolean;
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  readonly tools?: readonly string[];
  readonly fix?: boolean;
  readonly since?: string;
  readonly format: 'text' | 'sarif' | 'github';
  readonly json?: boolean;
}

/** `repertoire lint`: mistakes that the standard allows and that authors do not want. */
export function lintCommand(program: Command, io: CommandIo): void {
  program
    .command('lint')
    .summary('find mistakes in skills: dead links, secrets, hidden characters, misspelt fields')
    .description(
      'Finds mistakes in skills. Rules of correctness are on; rules of style are off unless you ask for them.\nSee docs/reference/lint-rules.md for each rule with examples.',
    )
    .argument('<sources...>', 'folders, globs, SKILL.md files, archives, URLs, MCP servers or storage')
    .option('--style', 'apply the rules of style too')
    .option('--only <rules>', 'apply only these rules, with commas between them', parseNames)
    .option('--ignore <rules>', 'do not apply these rules, with commas between them', parseNames)
    .option('--tools <names>', 'names of the tools that your agent has, with commas between them, for wrong-tool', parseNames)
    .option('--since <commit>', 'report only on skills of which a file changed since a commit, branch or tag of git; only in folders')
    .option('--fix', 'fix what can be fixed without changing what the skill says; only in folders')
    .addOption(
      new Option('--format <format>', 'how findings are printed').choices(['text', 'sarif', 'github']).default('text').conflicts('json'),
    )
    .option(...jsonOption)
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((words: string[], options: LintCommandOptions) =>
      runCommand(io, options, async (report) => {
        const rules = chosenRules(options);
        await using source = await openSource(words, io, report);
        const read = await readSkills(source, options, report, io);
        const concerned = options.since === undefined ? read : await changedFolders(read.filter(hasFolder), options.since, io.cwd);
        const unknown = rules.includes(scriptNotExecutable) ? read.filter(({ files }) => files.some(mayBeScript)) : [];
        if (unknown.length > 0) report.diagnostic(bitsNotChecked(unknown.length));
        const { countTokens } = createSkillset({ skills: [] });
        const settings: LintSettings = {
          tools: options.tools,
          countTokens,
          checkSteps: await checkerFor(read, rules, options.tools, report),
        };
        const all = lintSkills(read, rules, settings).filter(({ skill }) => concerned.includes(skill));
        const fixed = options.fix === true ? await fixFindings(all) : [];
        const left = all.filter((result) => !fixed.includes(result));
        const findings = left.map(({ diagnostic }) => diagnostic);
        if (options.format === 'text' && options.json !== true) report.note(textOf(findings));
        for (const { diagnostic } of fixed) report.note(`Fixed ${diagnostic.code} in ${diagnostic.path ?? ''}.`);
        return {
          summary: summaryOf(left, fixed, concerned.length, rules, options, io),
          data: { skills: concerned.length, findings, fixed: fixed.map(({ diagnostic }) => diagnostic) },
          hasFindings: left.length > 0,
        };
      }),
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

Exit codes: 0 nothing was found, 1 something was found or cannot be read, 2 wrong usage.`;

function ruleLines(kind: LintRule['kind']): string {
  return lintRules
    .filter((rule) => rule.kind === kind)
    .map(({ id, summary }) => `  ${id.padEnd(27)} ${summary}\n`)
    .join('');
}

function chosenRules({ style = false, only, ignore = [] }: LintCommandOptions): readonly LintRule[] {
  const ids = lintRules.map(({ id }) => id);
  for (const id of [...(only ?? []), ...ignore]) {
    if (ids.includes(id)) continue;
    const near = nearName(id, ids);
    throw new SkillError(
      'invalid-options',
      `There is no rule ${JSON.stringify(id)}.${near === null ? ` There are: ${ids.join(', ')}.` : ` Did you mean ${near}?`}`,
    );
  }
  return lintRules.filter(
    ({ id, kind }) => (only === undefined ? style || kind === 'correctness' : only.includes(id)) && !ignore.includes(id),
  );
}

async function readSkills(
  source: OpenedSource,
  { fix = false, since }: LintCommandOptions,
  report: CommandReport,
  io: CommandIo,
): Promise<LintSkill[]> {
  const found = await skillsOfSource(source, io, report);
  if (fix) inFolders(source, found.skills, '--fix changes files');
  if (since !== undefined) inFolders(source, found.skills, '--since compares folders with git');
  for (const diagnostic of found.diagnostics) {
    if (diagnostic.severity === 'error') report.error(notLoaded(diagnostic));
    else report.diagnostic(diagnostic);
  }
  const skills: LintSkill[] = [];
  for (const [index, each] of found.skills.entries()) {
    io.signal.throwIfAborted();
    if (index % 20 === 0) report.progress(`Read ${index} of ${count(found.skills.length, 'skill')}…`);
    if (isInFolder(each) && each.file === null) {
      const { shown, folder } = each;
      throw new SkillError('skill-not-found', `There is no skill in ${shown}. A skill is a folder with a SKILL.md.`, { path: folder });
    }
    try {
      const skill = await readLintSkill(each, io.signal);
      if (skill === null) continue;
      if (skill.unread.length > 0) report.diagnostic(notLookedInto(skill));
      skills.push(skill);
    } catch (error) {
      io.signal.throwIfAborted();
      // One skill that cannot be read hides no other.
      report.error(
        SkillError.isInstance(error)
          ? error
          : new SkillError('source-unavailable', `${each.shown} cannot be read: ${String(error)}`, { cause: error }),
      );
    }
  }
  return skills;
}

function hasFolder(skill: LintSkill): skill is LintSkill & { readonly folder: string } {
  return skill.folder !== null;
}

/** A script of which nobody knows whether it may be executed. */
function mayBeScript({ path: file, isExecutable, text }: LintFile): boolean {
  return isExecutable === null && file.startsWith('scripts/') && text?.startsWith('#!') === true;
}

function bitsNotChecked(skills: number): SkillDiagnostic {
  const message = `Whether the scripts of ${count(skills, 'skill')} may be executed was not checked: only folders tell.`;
  return { code: 'executable-not-checked', severity: 'info', message, fix: 'Lint the folders that they come from.' };
}

/** A skill that its source cannot load has no file to be linted. */
function notLoaded({ message, fix, skill, path }: SkillDiagnostic): SkillError {
  return new SkillError('invalid-skill', fix === undefined ? message : `${message} ${fix}`, { skill, path });
}

/** The parser of steps is only loaded for skills that have some. */
async function checkerFor(
  skills: readonly LintSkill[],
  rules: readonly LintRule[],
  tools: readonly string[] | undefined,
  report: CommandReport,
): Promise<LintSettings['checkSteps']> {
  const having = skills.filter(({ parsed }) => parsed.metadata?.steps !== undefined);
  if (having.length === 0 || !rules.includes(invalidSteps)) return undefined;
  const checkSteps = await stepsChecker(tools);
  if (checkSteps === undefined) {
    const message = `The steps of ${count(having.length, 'skill')} were not checked. Run: npm install --save-dev @repertoire/skill-workflow`;
    report.diagnostic({ code: 'steps-not-checked', severity: 'info', message });
  }
  return checkSteps;
}

function notLookedInto({ name, path, unread }: LintSkill): SkillDiagnostic {
  const named = `${unread.slice(0, 5).join(', ')}${unread.length > 5 ? ', …' : ''}`;
  const message = `${count(unread.length, 'file')} of ${name} not looked into (${named}): links, large files, or more than a skill should have.`;
  return { code: 'file-not-checked', severity: 'info', message, skill: name, path };
}

function textOf(findings: readonly SkillDiagnostic[]): string {
  const byPath = Map.groupBy(findings, ({ path }) => path ?? '');
  return [...byPath]
    .map(([path, inFile]) => {
      const lines = inFile.map(
        ({ line, severity, code, message, fix }) =>
          `  ${line ?? 1}  ${severity}  ${message}${fix === undefined ? '' : ` ${fix}`}  [${code}]`,
      );
      return [path, ...lines].join('\n');
    })
    .join('\n\n');
}

function summaryOf(
  left: readonly LintResult[],
  fixed: readonly LintResult[],
  skills: number,
  rules: readonly LintRule[],
  { format, json }: LintCommandOptions,
  io: CommandIo,
): string {
  if (format === 'sarif') return jsonText(sarifOf(left, rules, io.cwd, '1'));
  if (format === 'github') return githubAnnotations(left);
  const errors = left.filter(({ rule }) => rule.severity === 'error').length;
  const found = left.length === 0 ? 'nothing was found' : `${count(errors, 'error')}, ${count(left.length - errors, 'warning')}`;
  return `${json === true || left.length === 0 ? '' : '\n'}${count(skills, 'skill')} checked: ${found}${fixed.length === 0 ? '' : `, ${fixed.length} fixed`}.`;
}
