import path from 'node:path';
import { isForPeople } from '../files-for-people.ts';
import type { LintFinding, LintRule } from '../lint-rule.ts';

/** Files of one machine, with what is wrong with having them in a skill. */
const strays: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.env(?:\.(?!example|sample|template|dist)[\w-]+)*$/, 'holds settings of one machine, and often secrets'],
  [/(?:^|\/)\.(?:npmrc|pypirc|netrc|git-credentials)$/, 'holds credentials of a person'],
  [/(?:^|\/)node_modules$/, 'is installed, not published'],
  [/(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.venv|\.DS_Store)$/, 'is made by a program on each machine'],
  [/\.py[co]$/, 'is made by a program on each machine'],
];

/** A file that should have stayed on its author's machine. */
export const strayFile: LintRule = {
  id: 'stray-file',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A skill has a file of its author alone: .env, .npmrc, node_modules, __pycache__.',
  check: ({ files, leftOut }) => {
    const folders = new Set(files.map(({ path: file }) => path.posix.dirname(file)).filter((folder) => folder.endsWith('__pycache__')));
    const places = [
      ...leftOut,
      ...folders,
      ...files.map(({ path: file }) => file).filter((file) => !folders.has(path.posix.dirname(file))),
    ];
    return places.flatMap((place): LintFinding[] => {
      const why = strays.find(([form]) => form.test(place))?.[1];
      return why === undefined ? [] : [{ file: place, message: `${place} ${why}.`, fix: 'Delete it, and name it in .gitignore.' }];
    });
  },
};

/** A file that no agent will find. */
export const unmentionedFile: LintRule = {
  id: 'unmentioned-file',
  kind: 'style',
  severity: 'warning',
  summary: 'Nothing in the skill mentions a file.',
  check: async ({ files, text }, { forPeople: own }) => {
    const texts = [text, ...files.map((file) => file.text ?? '')].join('\n').toLowerCase();
    const isOwn = own.length === 0 ? () => false : (await import('picomatch')).default([...own], { dot: true });
    const folders = new Set<string>();
    return files.flatMap(({ path: file }): LintFinding[] => {
      const folder = path.posix.dirname(file);
      if (isForPeople(file) || isOwn(file) || folders.has(folder)) return [];
      if (texts.includes(path.posix.basename(file).toLowerCase()) || texts.includes(stemOf(file)) || mentionsFolder(texts, folder))
        return [];
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

/**
 * Modules are imported, and pages listed, without their ending; a stem of one short word says
 * nothing.
 */
function stemOf(file: string): string {
  const stem = path.posix.basename(file, path.posix.extname(file)).toLowerCase();
  return stem.length < 6 && !/[-_]/.test(stem) ? `\n${stem}\n` : stem;
}

function mentionsFolder(texts: string, folder: string): boolean {
  const lower = folder.toLowerCase();
  return folder !== '.' && (texts.includes(`${lower}/`) || texts.includes(`\`${lower}\``));
}
