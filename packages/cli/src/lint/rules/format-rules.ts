import type { SkillMdDiagnostic } from '@repertoire/skills-core/skill-md';
import type { LintFinding, LintRule } from '../lint-rule.ts';
import { linesOf } from '../markdown/lines-of.ts';
import { nearName } from '../near-name.ts';
import { lineOfField } from '../positions.ts';
import { isSkillFileName } from '../../source/skill-file-name.ts';
import { unknownTools } from '../unknown-tools.ts';

const fieldCodes: ReadonlySet<string> = new Set(['field-unknown', 'field-spelling']);
/** Warnings of the parser by which an agent reads something else than the author wrote. */
const harmful: ReadonlySet<string> = new Set([
  'duplicate-key',
  'merge-conflict',
  'encoding-invalid',
  'encoding-nul',
  'inline-comment',
  'yaml-text-ignored',
  'yaml-repaired',
  'yaml-unresolved-alias',
  'frontmatter-blank-lines',
  'frontmatter-comment-before',
  'frontmatter-bare',
  'frontmatter-end-guessed',
]);
/** Fields of clients that resemble others, and are none of them by mistake. */
const otherFields: ReadonlySet<string> = new Set([
  'agents',
  'argument',
  'skills',
  'paths',
  'models',
  'names',
  'tool',
  'path',
  'step',
  'hook',
  'versions',
]);
const usualTools: readonly string[] = ['Agent', 'AskUserQuestion', 'Bash', 'BashOutput', 'Edit', 'ExitPlanMode', 'Glob', 'Grep', 'KillShell', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'Read', 'Skill', 'SlashCommand', 'Task', 'TodoRead', 'TodoWrite', 'WebFetch', 'WebSearch', 'Write']; // prettier-ignore
/**
 * Programs that skills often run, of five letters and more: shorter names are too near to others.
 */
const programs: readonly string[] = ['python', 'python3', 'docker', 'kubectl', 'terraform', 'poetry', 'cargo', 'gradle', 'maven', 'dotnet', 'wrangler', 'vercel', 'gcloud', 'azure', 'ansible', 'pytest', 'playwright', 'prettier', 'eslint', 'vitest', 'jest', 'turbo', 'mkdir', 'chmod', 'touch', 'pandoc', 'ffmpeg', 'convert', 'sqlite3', 'mysql', 'psql', 'redis-cli']; // prettier-ignore

/** A skill that cannot be loaded, or is not read as it was written. */
export const invalidFormat: LintRule = {
  id: 'invalid-format',
  kind: 'correctness',
  severity: 'error',
  summary: 'SKILL.md cannot be loaded, or is read otherwise than it was written.',
  check: ({ parsed, text, bodyLine }) => [
    ...parsed.diagnostics
      .filter(({ severity, code }) => !fieldCodes.has(code) && !code.startsWith('name-') && (severity === 'error' || harmful.has(code)))
      .map(findingOf),
    ...unquotedVersion(text),
    ...conflictIn(parsed.body, bodyLine),
    ...openBlockIn(parsed.body, bodyLine),
  ],
};

/** What the standard's reference validator refuses and Repertoire loads. */
export const standardFormat: LintRule = {
  id: 'standard-format',
  kind: 'correctness',
  severity: 'error',
  summary: "SKILL.md is refused by the standard's reference validator.",
  check: ({ strict, parsed, path, folder }) => {
    const name = path.split(/[\\/]/).at(-1) ?? '';
    if (folder !== null && !isSkillFileName(name))
      return [
        {
          line: 1,
          message: `The file is named ${JSON.stringify(name)}, so that most agents do not find it.`,
          fix: 'Rename it to SKILL.md.',
        },
      ];
    const known = new Set(
      parsed.diagnostics.filter(({ severity, code }) => severity === 'error' || harmful.has(code)).map(({ code }) => code),
    );
    const repaired = parsed.diagnostics.some(({ code }) => code === 'yaml-repaired' || code === 'yaml-text-ignored');
    return strict
      .filter(({ code }) => !(repaired && code.startsWith('yaml-')))
      .filter(({ severity, code }) => severity === 'error' && !fieldCodes.has(code) && !code.startsWith('name-') && !known.has(code))
      .map(findingOf);
  },
};

/** A field that the standard does not have. */
export const extensionField: LintRule = {
  id: 'extension-field',
  kind: 'style',
  severity: 'warning',
  summary: "A field is none of the standard's, so that its reference validator refuses the skill.",
  check: ({ strict }) => strict.filter(({ severity, code }) => severity === 'error' && code === 'field-unknown').map(findingOf),
};

/** A name that clients refuse, or that is not that of the folder. */
export const wrongName: LintRule = {
  id: 'wrong-name',
  kind: 'correctness',
  severity: 'error',
  summary: 'The name breaks the rules of the standard, or is not that of the folder.',
  check: ({ strict, name }) => {
    // A template is filled in when it is copied.
    if (/\{\{|<[A-Z_-]+>/.test(name)) return [];
    // One finding says enough: a name with a capital is not that of its folder either.
    const found = strict.find(({ severity, code }) => severity === 'error' && code.startsWith('name-'));
    return found === undefined ? [] : [findingOf(found)];
  },
};

/** A field that nobody reads, and that looks like one that is read. */
export const unknownField: LintRule = {
  id: 'unknown-field',
  kind: 'correctness',
  severity: 'error',
  summary: 'A field of the frontmatter looks like a misspelt one.',
  check: ({ parsed }) =>
    parsed.diagnostics
      .filter(({ code, fix, message }) => {
        if (code === 'field-spelling') return true;
        const field = /"([^"]{1,100})"/.exec(message)?.[1] ?? '';
        return code === 'field-unknown' && fix.startsWith('Did you mean') && !otherFields.has(field.toLowerCase());
      })
      .map(findingOf),
};

/** A tool that the host does not have, or that is surely a slip. */
export const wrongTool: LintRule = {
  id: 'wrong-tool',
  kind: 'correctness',
  severity: 'error',
  summary: 'A skill names a tool that the agent does not have (with --tools), or misspells one that many agents have.',
  check: ({ parsed: { metadata }, text, path }, { tools }) => {
    if (metadata === null) return [];
    if (tools !== undefined) {
      return unknownTools(metadata, tools, path).map(({ message, fix }) => ({
        message,
        fix,
        line: lineOfField(text, message.startsWith('"tools"') ? 'tools' : 'allowed-tools'),
      }));
    }
    const names = new Set((metadata.allowedTools ?? []).map((pattern) => pattern.split('(', 1)[0] ?? ''));
    const slips = (metadata.allowedTools ?? []).flatMap((pattern): LintFinding[] => {
      const program = /^Bash\(([a-z][\w-]{4,30})(?=[ :)])/.exec(pattern)?.[1] ?? '';
      const near = program === '' || programs.includes(program) ? null : nearName(program, programs, 1);
      if (near === null || near.replace(/\d$/, '') === program.replace(/\d$/, '') || near.length < 5) return [];
      return [
        {
          message: `"allowed-tools" allows the program ${JSON.stringify(program)}, which looks misspelt.`,
          fix: `Did you mean ${JSON.stringify(near)}?`,
          line: lineOfField(text, 'allowed-tools'),
        },
      ];
    });
    const wrong = [...names].flatMap((name): LintFinding[] => {
      if (name.length < 3 || usualTools.some((tool) => tool.toLowerCase() === name.toLowerCase())) return [];
      const near = nearName(name, usualTools, 1);
      // `Tasks` and `Agents` are other tools of the same kind, not slips.
      if (near === null || `${near}s` === name || /[A-Z]/.test(name.slice(1)) !== /[A-Z]/.test(near.slice(1))) return [];
      return [
        {
          message: `"allowed-tools" names the tool ${JSON.stringify(name)}, which no known agent has.`,
          fix: `Did you mean ${JSON.stringify(near)}?`,
          line: lineOfField(text, 'allowed-tools'),
        },
      ];
    });
    return [...wrong, ...slips];
  },
};

/** Steps that no engine can run. */
export const invalidSteps: LintRule = {
  id: 'invalid-steps',
  kind: 'correctness',
  severity: 'error',
  summary: 'The steps of a workflow cannot run. Needs @repertoire/skill-workflow.',
  check: (skill, { checkSteps }) => checkSteps?.(skill) ?? [],
};

/** YAML reads `version: 1.10` as 1.1. */
function unquotedVersion(text: string): LintFinding[] {
  const end = text.indexOf('\n---', 3);
  if (end === -1 || end > 65_536) return [];
  const lines = text.slice(0, end).split('\n');
  const at = lines.findIndex((line) => /^\s{0,8}version:\s{1,4}\d{1,5}\.\d{0,4}[1-9]0\s*$/.test(line));
  if (at === -1) return [];
  const written = lines[at]?.split(':')[1]?.trim() ?? '';
  return [
    {
      line: at + 1,
      message: `The version ${written} is a number in YAML, and many readers get ${String(Number(written))}.`,
      fix: `Quote it: version: "${written}".`,
    },
  ];
}

/** Markers of an unresolved merge in the instructions. Blocks of code may be about merges. */
function conflictIn(body: string, bodyLine: number): LintFinding[] {
  if (!body.includes('<<<<<<< ') || !body.includes('>>>>>>> ')) return [];
  const lines = linesOf(body).filter(({ fence }) => fence === null);
  const first = lines.findIndex(({ text }) => text.startsWith('<<<<<<< '));
  const last = lines.findIndex(({ text }, index) => index > first && text.startsWith('>>>>>>> '));
  const opening = lines[first];
  if (opening === undefined || last === -1 || !lines.slice(first, last).some(({ text }) => text.trimEnd() === '=======')) return [];
  return [
    {
      line: opening.number + bodyLine - 1,
      message: 'The instructions hold markers of an unresolved merge, so that a model reads both sides.',
      fix: 'Keep one side, and remove the lines of markers.',
    },
  ];
}

/** A block of code that does not end: the rest of the page is code then. */
function openBlockIn(body: string, bodyLine: number): LintFinding[] {
  const marks = [...body.matchAll(/^[ \t]{0,3}```(?!`)[ \t]*(\w*)/gm)];
  const last = marks.at(-1)?.index;
  // Blocks in blocks have another count, and are read by people as they were meant.
  if (
    last === undefined ||
    marks.length % 2 === 0 ||
    marks.some(([, word], index) => index % 2 === 1 && word !== '') ||
    /^[ \t]{0,3}(?:`{4,}|~{3,})/m.test(body)
  )
    return [];
  const rest = linesOf(body).at(-1);
  if (rest === undefined || rest.fence === null) return [];
  const line = body.slice(0, last).split('\n').length + bodyLine - 1;
  return [
    {
      line,
      message: 'A block of code begins here or before and does not end, so that the rest of the page is code.',
      fix: 'Close each block with ```.',
    },
  ];
}

function findingOf({ message, line, column, fix }: SkillMdDiagnostic): LintFinding {
  return { message, line, column, fix };
}
