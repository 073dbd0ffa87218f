import path from 'node:path';
import { isForPeople } from '../files-for-people.ts';
import type { LintFinding, LintRule, LintSkill } from '../lint-rule.ts';
import { nearName } from '../near-name.ts';
import { positionAt } from '../positions.ts';
import { hasFile } from '../skill-places.ts';
import { syntaxProblem } from '../syntax-problem.ts';

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
  summary: 'A text runs files of scripts/ by their names, and they may not be executed.',
  check: (skill) => {
    const refused = skill.files.filter(
      ({ path: file, isExecutable, text }) =>
        isExecutable === false &&
        process.platform !== 'win32' &&
        file.startsWith('scripts/') &&
        text?.startsWith('#!') === true &&
        howItIsRun(skill, file) === 'directly',
    );
    const [first] = refused;
    if (first === undefined) return [];
    const names = refused.map(({ path: file }) => file);
    const others =
      names.length === 1 ? '' : `, as ${names.length - 1} more: ${names.slice(1, 4).join(', ')}${names.length > 4 ? ', …' : ''}`;
    return [
      {
        file: first.path,
        line: 1,
        message: `${first.path} is run by its name, begins with "#!" and may not be executed${others}.`,
        fix: `Run: chmod +x ${names.length > 4 ? 'scripts/*' : names.join(' ')}`,
      },
    ];
  },
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

/** Words that ask to run what follows them: `Run the script scripts/report.sh`. */
const runs =
  // recheck: it looks at 60 characters.
  /\b(?:runs?|running|executes?|executing|starts?|calls?|invokes?|launch(?:es)?)\b[^.;:\n]{0,30}?[`"'[(\s]{0,3}(?:\.\/)?$/i;

/** Whether texts run a file by its name alone, or name an interpreter for it. */
function howItIsRun({ text, files }: LintSkill, file: string): 'directly' | 'by an interpreter' | 'not' {
  const name = path.posix.basename(file);
  let isRun = false;
  for (const words of [text, ...files.flatMap((other) => (/\.(?:md|txt|json|ya?ml)$/i.test(other.path) ? [other.text ?? ''] : []))]) {
    for (let at = words.indexOf(name); at !== -1; at = words.indexOf(name, at + 1)) {
      const line = words.slice(Math.max(words.lastIndexOf('\n', at) + 1, at - 80), at);
      if (interpreter.test(words.slice(Math.max(0, at - 80), at))) return 'by an interpreter';
      // What stands before the path.
      // recheck: it looks at 80 characters.
      const before = line.replace(/[\w./${}-]{0,80}$/, '');
      const isCommand =
        /^\s{0,12}(?:[$>]\s)?$/.test(before) &&
        /^(?:\s+-|\s*$|\s+[\w"'./$<[*{])/.test(words.slice(at + name.length, at + name.length + 40).split('\n', 1)[0] ?? '');
      if (runs.test(before.slice(-60)) || (isCommand && line.includes('/'))) isRun = true;
    }
  }
  return isRun ? 'directly' : 'not';
}

/** A script that its own interpreter refuses. */
export const scriptSyntax: LintRule = {
  id: 'script-syntax',
  kind: 'correctness',
  severity: 'error',
  summary: 'A script in Python, shell or JavaScript, or a file of JSON, cannot be parsed.',
  check: async ({ files }) => {
    const found: LintFinding[] = [];
    for (const { path: file, text } of files) {
      if (text === null || isForPeople(file) || (isSample.test(file) && !/^assets\/[^/]{1,80}\.json$/.test(file))) continue;
      const problem = await syntaxProblem(file, text);
      if (problem !== null)
        found.push({
          file,
          ...positionAt(text, problem.at),
          message: `${file} cannot be parsed: ${problem.message}.`,
          fix: 'Correct it, and run it once.',
        });
    }
    return found;
  },
};

/** A script that needs a file which is not there. */
export const missingModule: LintRule = {
  id: 'missing-module',
  kind: 'correctness',
  severity: 'error',
  summary: 'A script imports or sources a file of the skill that does not exist.',
  check: (skill) =>
    skill.files.flatMap(({ path: file, text }): LintFinding[] => {
      if (text === null || isForPeople(file) || isSample.test(file)) return [];
      const folder = path.posix.dirname(file);
      return neededFiles(file, text).flatMap(({ target, candidates, at }): LintFinding[] => {
        const paths = candidates.map((candidate) => path.posix.join(folder, candidate));
        // What a build makes is in no repository.
        if (paths.some((one) => one.startsWith('..') || /(?:^|\/)(?:dist|build|target)\//.test(one) || hasFile(skill, one))) return [];
        return [
          {
            file,
            ...positionAt(text, at),
            message: `${file} needs ${JSON.stringify(target)}, and the skill has no such file.`,
            fix: 'Correct the path, or add the file.',
          },
        ];
      });
    }),
};

/** Sources of projects that a skill copies out are not run in the skill. */
const isSample = /(?:^|\/)(?:assets|templates?|examples?|samples?|boilerplates?|starters?|fixtures|node_modules)\//i;
const jsEndings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json', '/index.js', '/index.mjs', '/index.ts'];

/** Relative imports and sourced files, with the paths beside the script that would do. */
function neededFiles(
  file: string,
  text: string,
): { readonly target: string; readonly candidates: readonly string[]; readonly at: number }[] {
  const source = text.slice(0, 200_000);
  if (/\.(?:[cm]?js|[cm]?ts)$/.test(file)) {
    const form =
      // recheck: it starts with a fixed word, and each part is bounded.
      /^(?:import|export)\b[^'"\n]{0,300}["'](\.{1,2}\/[\w./@-]{1,200})["']|\brequire\(\s?["'](\.{1,2}\/[\w./@-]{1,200})["']\s?\)/gm;
    return Array.from(source.matchAll(form), (match) => {
      const target = match[1] ?? match[2] ?? '';
      const stem = target.replace(/\.[cm]?js$/, '');
      return {
        target,
        at: match.index,
        candidates: [...jsEndings.map((ending) => target + ending), ...jsEndings.map((ending) => stem + ending)],
      };
    });
  }
  if (/\.(?:sh|bash)$/.test(file)) {
    // The folder of the script itself, in the ways in which people write it.
    // recheck: it starts with a fixed word at the start of a line, and each part is bounded.
    const form =
      /^[ \t]{0,20}(?:source|\.)[ \t]{1,4}["']?(?:\$\{?(?:SCRIPT_DIR|DIR|HERE|here|script_dir)\}?\/|\$\(dirname "?\$(?:0|\{?BASH_SOURCE(?:\[0\])?\}?)"?\)"?\/)([\w./-]{1,200})["']?[ \t]*(?:$|[;#&|])/gm;
    return Array.from(source.matchAll(form), ({ index, 1: target = '' }) => ({ target, at: index, candidates: [target] }));
  }
  if (file.endsWith('.py')) {
    // A file beside the script that is read, and not written.
    // recheck: it starts with a fixed word, and each part is bounded.
    const besides =
      // recheck: each part is bounded.
      /(?:Path\(__file__\)|os\.path\.dirname\((?:os\.path\.(?:abspath|realpath)\()?__file__\)?\))(?:\.resolve\(\))?((?:\.parent){1,3})?\s?\/\s?["'](assets|references|templates|data)["']\s?\/\s?["']([\w.-]{1,80}\.\w{1,6})["']\)?(?:\.(?:read_text|read_bytes|open)\(|$)/gm;
    const read = Array.from(source.matchAll(besides), ({ index, 1: parents = '', 2: folder = '', 3: name = '' }) => {
      const target = `${'../'.repeat(Math.max(0, parents.length / '.parent'.length - 1))}${folder}/${name}`;
      return { target, at: index, candidates: [target] };
    });
    // recheck: it starts with a fixed word at the start of a line, and each part is bounded.
    const form = /^[ \t]{0,20}from (\.{1,3})(\w[\w.]{0,100}) import /gm;
    const imported = Array.from(source.matchAll(form), ({ index, 1: dots = '.', 2: module = '' }) => {
      const inside = `${'../'.repeat(dots.length - 1)}${module.replaceAll('.', '/')}`;
      return { target: `${dots}${module}`, at: index, candidates: [`${inside}.py`, inside, `${inside}.pyi`, `${inside}.so`] };
    });
    return [...read, ...imported];
  }
  return [];
}

/** `python3.12` is `python`. */
function withoutVersion(name: string): string {
  let end = name.length;
  while (end > 0 && /[\d.]/.test(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}
