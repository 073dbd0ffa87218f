/**
 * Writes `docs/reference/lint-precision.md` from the labels of `packages/cli/test/lint-labels`; `--check` only says whether it is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { lintRules } from '../packages/cli/src/lint/lint-rules.ts';
import { readLabels, type LintLabel } from '../packages/cli/test/lint-labels/read-labels.ts';

const page = new URL('../docs/reference/lint-precision.md', import.meta.url);

/** The page, from the labels as they are. */
export function lintPrecisionPage(labels: readonly LintLabel[]): string {
  const halves = ['tuning', 'held out'] as const;
  const rows = lintRules
    .map(({ id }) => ({ id, own: labels.filter(({ rule }) => rule === id) }))
    .map(({ id, own }) => (own.length === 0 ? [`\`${id}\``, '0', '', '', ''] : [`\`${id}\``, ...cells(own)]));
  const wrong = labels.filter(({ verdict }) => verdict === 'wrong');
  return `# How often each lint rule is wrong

<!-- Written by tools/lint-precision.ts. Do not edit. -->

The [rules](lint-rules.md) were run on 919 published skills of 16 collections, and ${labels.length} findings were
read one by one, at most three of one rule in a skill. Half of the skills, by their digest, were
kept out of tuning: their findings were read when the rules were as they are.

| | findings read | right | arguable | wrong | share that is wrong |
|---|---|---|---|---|---|
${halves.map((half) => `| ${half} | ${cells(labels.filter((label) => label.half === half)).join(' | ')} | ${share(labels.filter((label) => label.half === half))} |`).join('\n')}
| both | ${cells(labels).join(' | ')} | ${share(labels)} |

A test fails where more than 5 % of either half is wrong, and where this page does not say what the
labels say.

## By rule

${table(['rule', 'read', 'right', 'arguable', 'wrong'], rows)}

Of rules without a number, these skills have too few examples to say anything. Their tests show what
they find and what they leave alone.

## What was wrong

${wrong.length === 0 ? 'Nothing.' : wrong.map(({ rule, half, note }) => `- \`${rule}\` (${half}): ${note}.`).join('\n')}

## What is found

A test plants 100 problems into skills of our own, five of each of twenty kinds: dead links and
paths, wrong capitals, missing sections, secrets, hidden characters, misspelt tools and fields,
vague descriptions and the like. \`repertoire lint\` finds 99 of these 100, and nothing in the same
skills before. It leaves alone \`allowed-tools: ReadFile\`, which is a tool of other clients. The
problems are ours, so the number says that each kind is covered, and not how many mistakes in
published skills are found.

## What this does not say

- Only Markdown files of these skills were at hand, so many links and paths lead to files that were
  not copied. What was read is whether each names a file that has to be in the skill. In skills that
  are whole, fewer findings of \`dead-link\` and \`dead-path\` remain, and a larger share of these can
  be wrong.
- No collection had scripts, so nothing is known of \`script-not-executable\` and
  \`script-interpreter\`.
- The labels are one reader's.
- What the rules miss in published skills was not counted.

The labels are in \`packages/cli/test/lint-labels/labels.jsonl\`: rule, digest of the skill, line and
verdict, and no text of a skill.
`;
}

function cells(labels: readonly LintLabel[]): string[] {
  const of = (verdict: LintLabel['verdict']): string => String(labels.filter((label) => label.verdict === verdict).length);
  return [String(labels.length), of('right'), of('arguable'), of('wrong')];
}

function share(labels: readonly LintLabel[]): string {
  return `${((100 * labels.filter(({ verdict }) => verdict === 'wrong').length) / Math.max(1, labels.length)).toFixed(1)} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
    .replace(/\| (?=-)/g, '|')
    .replace(/(?<=-) \|/g, '|');
}

if (import.meta.main) {
  const text = lintPrecisionPage(readLabels());
  if (!process.argv.includes('--check')) writeFileSync(page, text);
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/reference/lint-precision.md is out of date. Run: node --conditions=@repertoire/source tools/lint-precision.ts');
    process.exitCode = 1;
  }
}
