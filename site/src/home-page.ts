import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A measured fact of the first page. */
export interface HomeFact {
  readonly what: string;
  readonly ours: string;
  readonly best: string;
  readonly verdict: string;
  readonly isBehind: boolean;
}

/** What stands on the first page above the list of pages. It is taken from pages and benchmarks that are checked, so that it cannot get out of date. */
export function homeText(): string {
  const install = /^```sh\nnpm install[^`]+```$/m.exec(read('README.md'))?.[0];
  if (install === undefined) throw new Error('README.md has no block that installs.');
  return ['## In your framework', frameworkTabs(), install].join('\n\n');
}

/** The facts below the code: the first row of the table that compares, and those of the whole way to a catalog, of state and of search. */
export function homeFacts(): HomeFact[] {
  const rows = read('docs/benchmarks.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.replaceAll('*', '').trim()));
  const wanted = [
    'Import, first listing and first catalog',
    'All checkpoints of the conversation',
    'The right skill comes first',
    'First listing',
  ];
  return wanted.map((start) => {
    const row = rows.find(([, name = '']) => name === start || name.startsWith(`${start},`));
    const [, name = '', ours = '', best = '', , verdict = ''] = row ?? [];
    if (row === undefined) throw new Error(`docs/benchmarks.md has no row "${start}".`);
    const unit = name.slice(start.length).replace(/^, /, '');
    const [, figure = '', who = ''] = /^(.+?) \((.+)\)$/.exec(best) ?? [];
    return {
      what: start,
      ours: `${ours} ${unit}`.trim(),
      best: `${who}: ${figure} ${unit}`.trim(),
      verdict,
      isBehind: verdict.startsWith('behind'),
    };
  });
}

/** READMEs whose first program is shown, one tab each. */
const programs: readonly (readonly [title: string, path: string])[] = [
  ['Vercel AI SDK', 'packages/adapter-vercel-ai/README.md'],
  ['OpenAI Agents SDK', 'packages/adapter-openai-agents/README.md'],
  ['LangChain', 'packages/adapter-langchain/README.md'],
  ['A loop of your own', 'packages/skills-core/README.md'],
];

function frameworkTabs(): string {
  const tabs = programs.map(([title, path]) => {
    const code = /^```ts\n([\s\S]*?)^```$/m.exec(read(path))?.[1];
    if (code === undefined) throw new Error(`${path} has no program.`);
    return `\`\`\`ts [${title}]\n${code}\`\`\``;
  });
  return ['::: code-group', ...tabs, ':::'].join('\n\n');
}
