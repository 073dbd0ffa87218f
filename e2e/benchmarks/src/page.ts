import { charts } from './charts.ts';
import { conversationPart } from './conversation.ts';
import { columnsOf, type Report } from './report.ts';
import { groups, rows, type GroupId } from './rows.ts';
import type { Column } from './results.ts';
import { rowTable, summaryTable } from './tables.ts';

/** `docs/benchmarks.md`: the summary, and how it is measured. */
export function page(report: Report): string {
  const conversation = report.conversation === undefined ? [] : [conversationPart(report.conversation)];
  return `${[head(report), standing(report), ...conversation, method(report)].join('\n\n')}\n`;
}

/** `docs/benchmarks-rows.md`: each row with everyone in it. */
export function rowsPage(report: Report): string {
  const parts = (Object.keys(groups) as GroupId[]).map((group) => groupPart(group, report));
  return `${[rowsHead, ...parts].join('\n\n')}\n`;
}

/** `README.md`, whose table has some lines of the summary. */
export function readmeWith(report: Report, readme: string): string {
  const summary = summaryTable(report).split('\n');
  return readme.replace(
    /^\| \S[^|]*\|.*$/gm,
    (line) => summary.find((other) => other.startsWith(line.slice(0, line.indexOf('|', 1) + 1))) ?? line,
  );
}

const rowsHead = `# Every row of the benchmarks

Written by \`bench:peers\` together with [Benchmarks](benchmarks.md), which has the summary and says how each figure is measured.
A dash means that a library cannot do that; a note below the table says why.`;

function head({ machine, columns, minutes }: Report): string {
  const loads = columns.flatMap(({ load }) => (load === undefined ? [] : [load]));
  const load = `between ${Math.min(...loads).toFixed(1)} and ${Math.max(...loads).toFixed(1)}`;
  return `# Benchmarks

Repertoire beside the libraries that are nearest to it, on the same folders of skills and the same computer. One command
measures all of it and writes this page and [Every row](benchmarks-rows.md):

\`\`\`sh
npx -y pnpm@12.21.0 bench:peers
\`\`\`

Every row that the command knows is in both, also where another library is ahead.

Measured on ${machine.date} at load ${load}, in ${Math.ceil(minutes)} minutes, with Node.js ${machine.node.slice(1)} on ${machine.processor},
${machine.memoryGb} GB, ${machine.system}. Repertoire was commit ${machine.commit}. The load is the number of processes that
wanted a processor; above the number of processors, times are longer than on an idle computer, and ratios still hold.`;
}

function standing(report: Report): string {
  return `## Where Repertoire stands

Each row on the published skills, or on 1,000 generated ones where there are none, beside the best of the others. Parsers
without tools or state are among the others. Times up to 0.01 ms are level.

${summaryTable(report)}`;
}

function groupPart(group: GroupId, report: Report): string {
  const own = rows.filter((row) => row.group === group);
  const chart = charts.find((one) => one.group === group);
  const picture = chart === undefined ? [] : [`![${chart.title(report)}](pictures/${chart.file})`];
  const about = aboutColumns(own[0]?.id ?? '', report);
  const tables = own.map(
    (row) => `### ${row.title}\n\n<!-- row: ${row.id} -->\n\n${row.what}\n\n**Floor:** ${row.floor}\n\n${rowTable(row, report)}`,
  );
  return [`## ${groups[group]}`, ...about, ...picture, ...tables].join('\n\n');
}

function aboutColumns(row: string, report: Report): readonly string[] {
  const columns = columnsOf(report, row);
  const only = columns.length === 1 ? columns[0] : undefined;
  const rounds = columns.flatMap((column) =>
    column.rounds === undefined
      ? []
      : [`${only === undefined ? `${column.title}: ` : ''}${column.rounds} rounds${startsOf(column)} at load ${column.load?.toFixed(1)}`],
  );
  const title = only?.id === 'search' ? [`${only.title}.`] : [];
  return [...title, ...(rounds.length === 0 ? [] : [`${rounds.join('; ')}.`])];
}

function startsOf({ starts = 0 }: Column): string {
  return starts === 0 ? '' : ` and ${starts} of the start`;
}

function method(report: Report): string {
  const versions = report.versions.map(([name, version]) => `| ${name} | \`${version}\` |`).join('\n');
  return `## How it is measured

- **Rounds.** In each round, every library runs once in a process of its own, one after another. Each round begins with another
  library. A busy moment of the computer falls on all of them alike.
- **Figures.** A figure is the median of the rounds. The middle half of the rounds stands in parentheses. Behind the dot stands
  how many times the floor it is: the median of the ratios of each round by itself. A library whose process takes more than
  5 seconds runs in the first round only, so most of its rows have no spread.
- **Starts.** Import, first listing, first catalog and the listing by a new instance are measured in three more rounds, of
  processes that do nothing else, by every library that starts within a second.
- **Fresh and later.** The rows of a fresh process are measured once in each process, in the order of the page. Then the same
  process repeats what the later rows are, and gives the median.
- **Disk.** The files are in the cache of the operating system. What is measured is the work, not the disk.
- **Defaults.** Each library runs with its default options, with \`NODE_ENV=production\`, and is called as its documentation
  says. [\`e2e/benchmarks/peers\`](../e2e/benchmarks/peers) has the calls.
- **Answers are checked.** A load or a read counts only if the text of the file is in the answer.
- **Skills.** Generated skills have a description of 250 characters and a body of 4 to 5 KB; every fourth has a reference
  file. Other people's are the same, with frontmatter in the forms of 2,000 skills of libraries that nobody tuned on: lists and
  maps in brackets, nested ones, blocks, quotes, comments, and some that are not valid. Published skills are those of 16 public collections. They are not part of this repository: the command measures them
  where the folder \`shared/corpus\` lies beside the checkout. Where the collections have too few, copies under other names are
  added.
- **Network.** Nothing leaves the computer. Installing the libraries is a step before.
- **Python.** Libraries for Python, such as FastMCP and pydantic-ai-skills, are not measured: only packages of npm are.

## How to repeat it

\`\`\`sh
npx -y pnpm@12.21.0 bench:peers                          # everything, and writes both pages: ten minutes, or a few more
npx -y pnpm@12.21.0 bench:peers --quick                  # one round on small folders: about a minute, writes nothing
npx -y pnpm@12.21.0 bench:peers --only first-listing     # one row, or a part of the page such as \`search\`
npx -y pnpm@12.21.0 bench:peers --json                   # the figures as JSON
\`\`\`

The first run installs the libraries in \`e2e/benchmarks\`, which has a lockfile of its own.
[Its README](../e2e/benchmarks/README.md) says how to add a row or a library.

## Versions

| library | package |
|---|---|
${versions}`;
}
