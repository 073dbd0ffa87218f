/**
 * Writes `docs/reference/lint-precision.md` from the labels of `packages/cli/test/lint-labels`; `--check` only says whether it is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { lintRules } from '../packages/cli/src/lint/lint-rules.ts';
import { readLabels, type LintLabel } from '../packages/cli/test/lint-labels/read-labels.ts';

const page = new URL('../docs/reference/lint-precision.md', import.meta.url);

/** Published packages that were judged, so that nobody takes them for unseen again. */
const seen = `@longtq2501/next-spring-skills @nextsparkjs/ai-workflow design-clone shopify-cc-kit @geekbeer/minion cc-sdd
  blueprint-os spring-boot4-skill dev3000 @ckelsoe/claude-skill-prompt-architect mcp-excalidraw-server 00bx-photoshop-mcp
  @morphllm/morph-setup @paw-workflow/cli @tloncorp/tlon-skill @weihaoqu/curriculum-designer-skill agent-flutter casabot
  @salesforce/webapp-template-feature-graphql-experimental
  claude-db-mcp-query-skill mobile-best-practices oh-my-codex-cli pinion-os swedish-medications faf-cli agent-reviews
  @torka/claude-workflows cc-dev-template ccg-workflow claude-code-plugins claude-flow-novice create-ai-project
  create-sdd-project get-shit-done-multi oh-my-customcode takt @k2works/claude-code-booster context-mode agentplane claude-flow
  ruflo @claude-flow/cli feather-flow gspec aiblueprint-cli dantelabs-agentic-school @milenyumai/film-kit
  @mindfoldhq/oh-my-openclaw @malamute/ai-rules oh-my-opencode nemonix-cli claude-dev-environment-setup pi-subagents
  @vibe-agent-toolkit/vat-example-cat-agents bmad-method agent-browser @playwright/cli hyperframes eve @tanstack/intent`
  .split(/\s+/)
  .map((name) => `\`${name}\``)
  .join(', ')
  // recheck: a name of a package is short.
  .replace(/(.{1,99})(?: |$)/g, '$1\n')
  .trimEnd();

/** The page, from the labels as they are. */
export function lintPrecisionPage(labels: readonly LintLabel[]): string {
  const halves = ['tuning', 'held out'] as const;
  const rows = lintRules
    .map(({ id }) => ({ id, own: labels.filter(({ rule }) => rule === id) }))
    .map(({ id, own }) => (own.length === 0 ? [`\`${id}\``, '0', '', '', ''] : [`\`${id}\``, ...cells(own)]));
  const wrong = labels.filter(({ verdict }) => verdict === 'wrong');
  return `# How often each lint rule is wrong

<!-- Written by tools/lint-precision.ts. Do not edit. -->

Two numbers say how often a finding is wrong, and the second one counts.

- **Seen**: the [rules](lint-rules.md) were run on 919 published skills of 16 collections, and ${labels.length}
  findings were read one by one, at most three of one rule in a skill. Half of the skills, by their
  digest, were kept out of tuning, but each collection is in both halves, so the halves are alike.
- **Unseen**: packages of skills that no rule was written on, one set after the other; at most five
  findings of each rule in each package, drawn at random. Most of what was wrong in a set was
  corrected before the next one was drawn, so only the first look at each set counts. The author of
  the rules judged them by their messages, and opened the files of the doubtful ones.

| unseen set | packages | skills | findings read | wrong | true and of no use |
|---|---|---|---|---|---|
| other reader, before | 12 repositories | | 150 | 15 | 17 |
| first | 9 | 1,124 | 108 | 19 | 18 |
| second | 10 | 201 | 60 | 19 | 2 |
| third | 4 | 41 | 23 | 5 | 1 |
| fourth | 4 | 60 | 5 | 1 | 1 |
| fifth | 11 | 260 | 43 | 2 | 3 |
| sixth | 15 | 233 | 45 | 2 | 1 |
| seventh | 13 | 456 | 111 | 19 | 4 |
| eighth | 15 | 371 | 123 | 27 | 4 |
| ninth | 6 | 81 | 13 | 0 | 1 |

So the goal, at most 5 % wrong in skills that nobody tuned on, is not reached: of the 335 findings
of the last five sets, 50 were wrong (15 %) and 13 of no use (4 %). The sets differ, since a draw by
rule counts rare rules as much as frequent ones: most findings of the fifth, sixth and ninth set are
about names, lengths, links and missing files, and few of these are wrong. Most of the wrong ones
are of the reader of risk and of \`dead-path\`. In the eighth set, copies of one skill in several
folders count several times: its 27 wrong findings have 14 texts.

Most of what was wrong had few causes: comments, links and forms in templates, examples of skills
about skills, attacks that tests expect to be refused, commands that a script prints and does not
run, and words of Chinese that were read too widely. Most were corrected, with a test, before the
next set. What is left: \`dead-path\` for scripts of the project around a skill, where no text says
whose they are, and \`injection\` for "these rules override the default instructions", said of a
skill's own. No number exists for the rules as they are after the ninth set.

The packages of the fifth to the ninth set, which are seen from now on:
${seen}.

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

Problems of kinds that the rules did not list were planted into copies of published skills: names,
descriptions, keys, links, scripts, orders to the model, deleting commands, grants, fields,
leftovers. Of 101 that another reader planted in twelve repositories, 51 were found. Of 103 that the
author of the rules planted later, 83 were found at the first look, all with advice; after rules for
what was missed, 100, and 99 in copies of other skills. What is still missed: a Python module of
another name (it may be installed), and a path in a skill about skills.

A test changes the files of a good skill by operators that know files and characters, and no rule:
\`repertoire lint\` finds 90 % of 192 such changes.

| what happens to the files | changes | found |
|---|---|---|
| a file that a text names is deleted | 12 | 12 |
| a file is renamed to other capitals | 12 | 11 |
| a path in a text loses a character | 12 | 8 |
| a field of the frontmatter is misspelt | 12 | 11 |
| a line of the frontmatter is there twice | 12 | 12 |
| a word of a field is misspelt | 12 | 12 |
| a tool or its parenthesis is misspelt | 12 | 7 |
| a bracket or quote of a script is lost | 12 | 11 |
| a script is cut off | 12 | 5 |
| a script imports another name | 12 | 12 |
| the first line of a script is changed | 12 | 12 |
| a script may not be executed any more | 12 | 12 |
| a character that nobody sees comes in | 12 | 12 |
| a merge is not resolved | 12 | 12 |
| a file of the author comes along | 12 | 12 |
| a heading that a link leads to is renamed | 12 | 12 |

A script that is cut off between two statements can be parsed, and a tool in another spelling may
be one of another client.

A second test plants 100 problems into skills of our own, five of each of twenty kinds that rules
name. \`repertoire lint\` finds 99 of these 100, and nothing in the same skills before. It leaves
alone \`allowed-tools: ReadFile\`, which is a tool of other clients. This number says that each kind
is covered, and not how many mistakes in published skills are found.

## What this does not say

- Only Markdown files of these skills were at hand, so many links and paths lead to files that were
  not copied. What was read is whether each names a file that has to be in the skill. In skills that
  are whole, fewer findings of \`dead-link\` and \`dead-path\` remain, and a larger share of these can
  be wrong.
- No seen collection had scripts; the unseen sets have 260 files of them.
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
