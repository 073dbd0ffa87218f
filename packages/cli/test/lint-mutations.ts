/** Files of a good skill by path; the mode says whether a script may be executed. */
export type SkillFiles = Record<string, { text: string; mode: number }>;

/** Changes that happen to files, whatever the rules look for: each knows files and characters, and no rule. */
export interface MutationOperator {
  readonly name: string;
  /** Changes the files in place. `false` if there is nothing to change. */
  readonly mutate: (files: SkillFiles, pick: (below: number) => number) => boolean;
}

const texts = (files: SkillFiles, form: RegExp): string[] => Object.keys(files).filter((file) => form.test(file));
const scriptFiles = /\.(?:py|sh|[cm]?js)$/;

/** Changes one file that matches by one match of a pattern in it. */
function changing(
  form: RegExp,
  what: RegExp,
  change: (match: RegExpExecArray, pick: (below: number) => number) => string | null,
): MutationOperator['mutate'] {
  return (files, pick) => {
    const places = texts(files, form).flatMap((file) =>
      Array.from((files[file]?.text ?? '').matchAll(new RegExp(what, 'g')), (match) => ({ file, match })),
    );
    const chosen = places[pick(Math.max(1, places.length))];
    const file = chosen === undefined ? undefined : files[chosen.file];
    if (chosen === undefined || file === undefined) return false;
    const { match } = chosen;
    const after = change(match, pick);
    if (after === null || after === match[0]) return false;
    file.text = file.text.slice(0, match.index) + after + file.text.slice(match.index + match[0].length);
    return true;
  };
}

const without = (text: string, at: number): string => text.slice(0, at) + text.slice(at + 1);
const swapped = (text: string, at: number): string => text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);

export const mutationOperators: readonly MutationOperator[] = [
  {
    name: 'a file that a text names is deleted',
    mutate: (files, pick) => {
      const named = Object.keys(files).filter((file) => file !== 'SKILL.md' && files['SKILL.md']?.text.includes(file));
      const file = named[pick(Math.max(1, named.length))];
      return file !== undefined && delete files[file];
    },
  },
  {
    name: 'a file is renamed to other capitals',
    mutate: (files, pick) => {
      const named = Object.keys(files).filter((file) => file !== 'SKILL.md' && files['SKILL.md']?.text.includes(file));
      const file = named[pick(Math.max(1, named.length))];
      if (file === undefined) return false;
      const renamed = file.replace(/[^/]+$/, (name) => name[0]?.toUpperCase() + name.slice(1));
      files[renamed] = files[file] ?? { text: '', mode: 0o644 };
      return delete files[file];
    },
  },
  {
    name: 'a path in a text loses a character',
    mutate: changing(/\.md$/, /(?<=[`(])(?:references|scripts|assets)\/[\w./-]+(?=[`)#])/, ([path], pick) =>
      without(path, pick(path.length)),
    ),
  },
  {
    name: 'a field of the frontmatter is misspelt',
    mutate: changing(/^SKILL\.md$/, /(?<=\n)(?:name|description|license|compatibility|allowed-tools|metadata)(?=:)/, ([key], pick) =>
      swapped(key, pick(key.length - 1)),
    ),
  },
  {
    name: 'a line of the frontmatter is there twice',
    mutate: changing(/^SKILL\.md$/, /(?<=\n)(?:name|description|license|compatibility|allowed-tools): [^\n]+\n/, ([line]) => line + line),
  },
  {
    name: 'a word of a field is misspelt',
    mutate: changing(/^SKILL\.md$/, /(?<=\n(?:context|effort|user-invocable): )\w+/, ([word], pick) =>
      swapped(word, pick(word.length - 1)),
    ),
  },
  {
    name: 'a tool or its parenthesis is misspelt',
    mutate: changing(/^SKILL\.md$/, /(?<=\nallowed-tools: )[^\n]+/, ([tools], pick) => without(tools, pick(tools.length))),
  },
  {
    name: 'a bracket or quote of a script is lost',
    mutate: changing(scriptFiles, /(?<=\n[^\n#'"/]{0,80})[()[\]{}"'](?=[^\n]{0,80}\n)/, () => ''),
  },
  {
    name: 'a script is cut off',
    mutate: (files, pick) => {
      const names = texts(files, scriptFiles);
      const file = files[names[pick(Math.max(1, names.length))] ?? ''];
      if (file === undefined) return false;
      const lines = file.text.split('\n');
      file.text = lines.slice(0, 3 + pick(Math.max(1, lines.length - 6))).join('\n');
      return true;
    },
  },
  {
    name: 'a script imports another name',
    mutate: changing(scriptFiles, /(?<=(?:from '|import '|\. "\$\(dirname "\$0"\)\/|from )\.[\w/]*)\w{4,}/, ([name], pick) =>
      without(name, pick(name.length)),
    ),
  },
  {
    name: 'the first line of a script is changed',
    mutate: changing(scriptFiles, /(?<=^#!\/usr\/bin\/env )\w+/, ([program], pick) => swapped(program, pick(program.length - 1))),
  },
  {
    name: 'a script may not be executed any more',
    mutate: (files) => {
      const run = Object.entries(files).filter(([, { mode }]) => mode === 0o755);
      for (const [, file] of run) file.mode = 0o644;
      return run.length > 0;
    },
  },
  {
    name: 'a character that nobody sees comes in',
    mutate: changing(
      /\.md$/,
      /(?<=[a-z])(?=[a-z])/,
      (_match, pick) => ['\u200B', '\u2060', '\u00AD', '\u202E', '\u{E0061}'][pick(5)] ?? '',
    ),
  },
  {
    name: 'a merge is not resolved',
    mutate: changing(
      /^SKILL\.md$/,
      /(?<=\n\n)[A-Z][^\n]{20,200}\n/,
      ([line]) => `<<<<<<< HEAD\n${line}=======\n${line.toLowerCase()}>>>>>>> other\n`,
    ),
  },
  {
    name: 'a file of the author comes along',
    mutate: (files, pick) => {
      const names = [
        '.env',
        '.npmrc',
        'scripts/__pycache__/a.cpython-313.pyc',
        'node_modules/a/index.js',
        '.DS_Store',
        'scripts/.env.local',
      ];
      files[names[pick(names.length)] ?? '.env'] = { text: 'x', mode: 0o644 };
      return true;
    },
  },
  {
    name: 'a heading that a link leads to is renamed',
    mutate: (files) => {
      const skill = files['SKILL.md'];
      const heading = skill === undefined ? null : /\(#([\w-]+)\)/.exec(skill.text);
      if (skill === undefined || heading === null) return false;
      skill.text = skill.text.replace(/\n## ([^\n]+)/, '\n## Something else');
      return true;
    },
  },
];

/** A skill with scripts, references and fields, without a mistake. */
export const harborSkill: Readonly<Record<string, { readonly text: string; readonly mode: number }>> = {
  'SKILL.md': {
    mode: 0o644,
    text: `---
name: harbor
description: Weighs crates of a harbor and prints their labels. Use when freight leaves a ship or a label is missing.
license: MIT
compatibility: Needs Python 3.11 and Node.js 22
allowed-tools: Read Bash(python3:*) Bash(node:*) Grep
context: fork
effort: high
user-invocable: true
---

# Harbor

Weigh each crate, then print its label. [Print](#print) says how.

Read \`references/weights.md\` before the first crate, and [refusals](references/refusals.md) when one is too heavy.

Run \`python3 scripts/weigh.py --kilograms\` for each crate that has left the ship.

## Print

Run \`scripts/print.sh\` with the number of the crate. It starts [the printer](scripts/label.mjs).

The form for the customs office is in \`assets/form.txt\`.
`,
  },
  'references/weights.md': { mode: 0o644, text: '# Weights\n\nA crate weighs at most 900 kg. Others: see [refusals](refusals.md).\n' },
  'references/refusals.md': { mode: 0o644, text: '# Refusals\n\nSay which crate it is, and by how much it is too heavy.\n' },
  'assets/form.txt': { mode: 0o644, text: 'Crate: \nWeight: \n' },
  'scripts/weigh.py': {
    mode: 0o755,
    text: `#!/usr/bin/env python3
"""Weighs a crate."""
import sys
from .scale import read_scale


def weigh(crate, unit="kilograms"):
    values = [read_scale(crate) for _ in range(3)]
    if not values:
        raise ValueError(f"no crate {crate!r}")
    return {"crate": crate, unit: sum(values) / len(values)}


if __name__ == "__main__":
    print(weigh(sys.argv[-1]))
`,
  },
  'scripts/scale.py': { mode: 0o644, text: 'def read_scale(crate):\n    return float(len(crate))\n' },
  'scripts/print.sh': {
    mode: 0o755,
    text: `#!/usr/bin/env bash
set -euo pipefail
. "$(dirname "$0")/settings.sh"

if [ $# -lt 1 ]; then
  echo "usage: print.sh NUMBER" >&2
  exit 2
fi
for number in "$@"; do
  node "$(dirname "$0")/label.mjs" "$number"
done
`,
  },
  'scripts/settings.sh': { mode: 0o644, text: 'PRINTER="label-1"\nexport PRINTER\n' },
  'scripts/label.mjs': {
    mode: 0o644,
    text: `import { lines } from './lines.mjs';

const [number = '0'] = process.argv.slice(2);
for (const line of lines({ number, at: ['harbor', 'gate'] })) {
  console.log(line);
}
`,
  },
  'scripts/lines.mjs': {
    mode: 0o644,
    text: 'export function lines({ number, at }) {\n  return [number, ...at].map((part) => `${part}`);\n}\n',
  },
};
