import path from 'node:path';
import type { LintFinding, LintRule, LintSkill } from '../lint-rule.ts';
import { nearName } from '../near-name.ts';

const interpreters: readonly string[] = ['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish', 'python', 'python2', 'python3', 'node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node', 'ruby', 'perl', 'php', 'lua', 'Rscript', 'pwsh', 'powershell', 'awk', 'gawk', 'sed', 'make', 'jq', 'uv', 'uvx', 'npx', 'osascript', 'swift', 'go', 'java', 'groovy', 'julia', 'elixir', 'escript', 'tclsh', 'expect', 'racket', 'guile', 'nix-shell', 'zx', 'bats', 'dotnet', 'dotnet-script', 'kotlin', 'scala', 'rust-script', 'cargo', 'pipx', 'poetry', 'babashka', 'bb', 'env']; // prettier-ignore
/** Where every Unix has its programs. Others are places of one machine. */
const usualFolders = /^(?:\/usr)?\/bin\//;
const runnable = /\.(?:sh|bash|zsh|py|rb|pl)$/;
/** A program that runs a file, then options or a folder, up to the name of the file. */
const interpreter =
  // recheck: it looks at 80 characters.
  /\b(?:node|deno|bun|tsx|ts-node|npx|python3?|py|uv|uvx|poetry|ruby|perl|bash|sh|zsh|pwsh|source|Rscript|php)\b[^\n;|&]{0,70}$/;

/** A script that the system refuses to start. */
export const scriptNotExecutable: LintRule = {
  id: 'script-not-executable',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The instructions run a file of scripts/ that begins with #! and may not be executed.',
  check: (skill) =>
    skill.files.flatMap(({ path: file, isExecutable, text }): LintFinding[] => {
      if (isExecutable !== false || process.platform === 'win32' || !file.startsWith('scripts/') || text?.startsWith('#!') !== true)
        return [];
      if (howItIsRun(skill, file) !== 'directly') return [];
      return [{ file, message: `${file} begins with "#!" and may not be executed.`, line: 1, fix: `Run: chmod +x ${file}` }];
    }),
  fix: { kind: 'executable' },
};

/** A script of which the system does not know what runs it. */
export const scriptInterpreter: LintRule = {
  id: 'script-interpreter',
  kind: 'correctness',
  severity: 'warning',
  summary: 'The first line of a script names a program that most machines do not have, or none.',
  check: (skill) =>
    skill.files.flatMap(({ path: file, isExecutable, text }): LintFinding[] => {
      if (text === null || !file.startsWith('scripts/')) return [];
      const problem = text.startsWith('#!')
        ? wrongFirstLine((text.slice(0, 500).split('\n', 1)[0] ?? '').slice(2))
        : isExecutable === true && runnable.test(file) && howItIsRun(skill, file) === 'directly'
          ? { message: 'begins with no "#!" and is run by its name', fix: 'Begin it with "#!/usr/bin/env" and the program that runs it.' }
          : null;
      return problem === null ? [] : [{ file, line: 1, message: `${file} ${problem.message}.`, fix: problem.fix }];
    }),
};

function wrongFirstLine(line: string): { readonly message: string; readonly fix: string } | null {
  if (line.endsWith('\r'))
    return {
      message: 'has a first line that ends as on Windows, so that Unix looks for a program of another name',
      fix: 'Save it with line ends of Unix (LF).',
    };
  const [program = '', ...words] = line.trim().split(/\s+/);
  const isEnv = path.posix.basename(program) === 'env';
  const name = isEnv ? (words.find((word) => !word.startsWith('-') && !word.includes('=')) ?? '') : path.posix.basename(program);
  if (!isEnv && !usualFolders.test(program))
    return {
      message: `is run by ${JSON.stringify(program)}, which is a place of one machine`,
      fix: `Write "#!/usr/bin/env ${withoutVersion(name)}".`,
    };
  const plain = withoutVersion(name);
  if (interpreters.includes(name) || interpreters.includes(plain)) return null;
  const near = nearName(name, interpreters);
  return near === null
    ? null
    : { message: `is run by ${JSON.stringify(name)}, which is no known program`, fix: `Did you mean ${JSON.stringify(near)}?` };
}

/** Whether texts run a file by its name alone, or name an interpreter for it. */
function howItIsRun({ text, files }: LintSkill, file: string): 'directly' | 'by an interpreter' | 'not' {
  const name = path.posix.basename(file);
  let isMentioned = false;
  for (const words of [text, ...files.flatMap((other) => (/\.(?:md|txt|json|ya?ml)$/i.test(other.path) ? [other.text ?? ''] : []))]) {
    for (let at = words.indexOf(name); at !== -1; at = words.indexOf(name, at + 1)) {
      isMentioned = true;
      if (interpreter.test(words.slice(Math.max(0, at - 80), at))) return 'by an interpreter';
    }
  }
  return isMentioned ? 'directly' : 'not';
}

/** `python3.12` is `python`. */
function withoutVersion(name: string): string {
  let end = name.length;
  while (end > 0 && /[\d.]/.test(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}
