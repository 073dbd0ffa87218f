import path from 'node:path';
import { relativeLinks } from '../markdown-links.ts';
import type { LintFinding, LintRule, LintSkill } from '../lint-rule.ts';

/** Files for people, for tests and for publishers: an agent need not know of them. */
const forPeople =
  /(?:^|\/)(?:license|licence|notice|readme|changelog|contributing|authors|skill-card|package|package-lock|requirements|pyproject|tsconfig)(?:[.-][^/]*)?$|(?:^|\/)(?:evals?|tests?|__tests__|agents)\/|(?:^|\/)(?:__init__|conftest)\.py$|\.oms\.sig$/i;

/** A program that runs a file, then options or a folder, up to the path of the file. */
// recheck: it looks at 60 characters.
const interpreter = /\b(?:node|deno|bun|tsx|python3?|uv|ruby|perl|bash|sh|zsh|pwsh)\b[^\n;|&]{0,50}$/;

/** A link to a file that is not there. */
export const deadLink: LintRule = {
  id: 'dead-link',
  kind: 'correctness',
  severity: 'error',
  summary: 'A link of SKILL.md leads to a file that does not exist.',
  check: (skill) =>
    linksOf(skill).flatMap(({ target, line, inside }) => {
      if (inside === null || inside === '' || exists(skill, inside)) return [];
      return [{ message: `The link to ${JSON.stringify(target)} leads nowhere.`, line, fix: 'Correct the path, or add the file.' }];
    }),
};

/** A link out of the skill's folder. */
export const outsideLink: LintRule = {
  id: 'outside-link',
  kind: 'correctness',
  severity: 'error',
  summary: 'A link of SKILL.md leaves the folder of the skill.',
  check: (skill) =>
    linksOf(skill).flatMap(({ target, line, inside }) => {
      if (inside !== null) return [];
      return [
        {
          message: `The link to ${JSON.stringify(target)} leaves the folder of the skill. Agents read nothing outside of it.`,
          line,
          fix: 'Copy the file into the skill, or name the other skill by its name.',
        },
      ];
    }),
};

/** A script that the system refuses to start. */
export const scriptNotExecutable: LintRule = {
  id: 'script-not-executable',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A file in scripts/ begins with #! and may not be executed.',
  check: ({ files, text: instructions }) =>
    files.flatMap(({ path: file, isExecutable, text }): LintFinding[] => {
      if (isExecutable !== false || process.platform === 'win32' || !file.startsWith('scripts/') || text?.startsWith('#!') !== true)
        return [];
      if (isRunByInterpreter(file, instructions)) return [];
      return [{ file, message: `${file} begins with "#!" and may not be executed.`, line: 1, fix: `Run: chmod +x ${file}` }];
    }),
  fix: { kind: 'executable' },
};

/** A file that no agent will find. */
export const unmentionedFile: LintRule = {
  id: 'unmentioned-file',
  kind: 'style',
  severity: 'warning',
  summary: 'Nothing in the skill mentions a file.',
  check: ({ files, text }) => {
    const texts = [text, ...files.flatMap((file) => (file.text === null ? [] : [file.text]))].join('\n');
    const folders = new Set<string>();
    return files.flatMap(({ path: file }): LintFinding[] => {
      const folder = path.posix.dirname(file);
      const mentionsFolder = folder !== '.' && texts.includes(`${folder}/`);
      if (forPeople.test(file) || texts.includes(path.posix.basename(file)) || mentionsFolder || folders.has(folder)) return [];
      folders.add(folder);
      return [
        {
          file,
          message: `Nothing in the skill mentions ${file}, so no agent will read it.`,
          fix: 'Say in SKILL.md when to read it, or remove it.',
        },
      ];
    });
  },
};

/** Whether the instructions say `node scripts/report.mjs` or the like; then the file itself need not be executable. */
function isRunByInterpreter(file: string, instructions: string): boolean {
  for (let at = instructions.indexOf(file); at !== -1; at = instructions.indexOf(file, at + 1)) {
    if (interpreter.test(instructions.slice(Math.max(0, at - 60), at))) return true;
  }
  return false;
}

interface LinkOfSkill {
  readonly target: string;
  readonly line: number;
  /** The path inside the skill, or `null` if it leaves it. */
  readonly inside: string | null;
}

function linksOf({ parsed, bodyLine }: LintSkill): LinkOfSkill[] {
  return relativeLinks(parsed.body).map(({ target, line }) => {
    const decoded = decode(target);
    const joined = path.posix.normalize(decoded).replace(/^\.\//, '').normalize('NFC');
    const inside = joined === '..' || joined.startsWith('../') ? null : joined === '.' ? '' : joined;
    return { target, line: line + bodyLine - 1, inside };
  });
}

function exists({ files }: LintSkill, inside: string): boolean {
  const wanted = inside.endsWith('/') ? inside.slice(0, -1) : inside;
  if (wanted.toLowerCase() === 'skill.md') return true;
  return files.some(({ path: file }) => {
    const there = file.normalize('NFC');
    return there === wanted || there.startsWith(`${wanted}/`);
  });
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
