/** Who is measured. The folder `peers/<id>` has the packages and how they are called. */
export interface Contender {
  readonly id: string;
  /** As it stands in tables. */
  readonly name: string;
  /** The package whose version is printed. */
  readonly package: string;
  /** Why a row has no figure of it, by the id of the row; `*` is for every row that has no reason of its own. */
  readonly cannot: Readonly<Record<string, string>>;
  /** What a reader should know of its figures, by the id of the row. */
  readonly notes?: Readonly<Record<string, string>>;
}

const noServer = 'It neither publishes skills over HTTP or MCP nor reads them from there.';
const noSearch = 'It has no search over skills.';
const noGraph = 'It is no part of a LangGraph graph.';
const noFiles = 'It has no tool for the files of a skill. A model opens them by other tools of its agent.';
const parserFiles = 'It is a parser and has no tools.';
const fixedList = 'It lists a folder once, when it is made.';
const fromMemory = 'From memory: it has read all instructions when it listed, and does not see an edit.';

const noServers = { 'http-*': noServer, 'mcp-*': noServer };
const neither = { ...noServers, 'search-*': noSearch, 'checkpoint-*': noGraph };
const loadsFromMemory = { 'first-load': fromMemory, 'later-load': fromMemory };

export const contenders: readonly Contender[] = [
  {
    id: 'repertoire',
    name: 'Repertoire',
    package: '@repertoire/skills-core',
    cannot: {},
    notes: {
      'later-listing': 'From memory for `staleAfterMs`, a second by default. After that it looks at each folder and file by `stat`.',
      'catalog-tokens':
        'The catalog has a budget of 8,000 tokens by default. Where it is spent, descriptions are shortened, and the text says what was left out.',
      'catalog-skills':
        'Skills with `disable-model-invocation: true` are hidden from models. What the budget leaves no room for is counted in the text, and can be loaded by name.',
    },
  },
  {
    id: 'openai-agents',
    name: 'OpenAI Agents SDK',
    package: '@openai/agents',
    cannot: neither,
    notes: {
      'first-load': 'It starts a local sandbox, copies the skill into it and reads `SKILL.md` there.',
      'later-load': 'It copies the skill into the sandbox and reads `SKILL.md` there.',
      'file-read': 'Out of the sandbox.',
      'bundle-*': 'Its sandbox agents are part of it.',
    },
  },
  {
    id: 'strands',
    name: 'Strands Agents',
    package: '@strands-agents/sdk',
    cannot: { ...neither, 'file-read': noFiles },
    notes: { ...loadsFromMemory, 'later-listing': 'The list stays as it was first read.' },
  },
  {
    id: 'cloudflare-agents',
    name: 'Cloudflare Agents',
    package: 'agents',
    cannot: neither,
    notes: {
      ...loadsFromMemory,
      'first-listing': 'It ships no source for folders of a computer: it reads them through a few lines of this benchmark.',
    },
  },
  {
    id: 'bash-tool',
    name: 'bash-tool',
    package: 'bash-tool',
    cannot: { ...neither, 'later-listing': fixedList },
    notes: { 'file-read': 'Out of its shell, which holds all files in memory.' },
  },
  {
    id: 'deepagents',
    name: 'Deep Agents',
    package: 'deepagents',
    cannot: { ...noServers, 'search-*': noSearch },
    notes: { 'later-listing': 'The list is part of the state of a conversation. It does not look at the folder again.' },
  },
  {
    id: 'mastra',
    name: 'Mastra',
    package: '@mastra/core',
    cannot: { ...noServers, 'checkpoint-*': noGraph },
    notes: { 'search-*': 'Its BM25 index.' },
  },
  {
    id: 'voltagent',
    name: 'VoltAgent',
    package: '@voltagent/core',
    cannot: { ...noServers, 'checkpoint-*': noGraph },
    notes: {
      'later-listing': 'The list stays as it was first read.',
      'catalog-tokens': 'It shows at most 50 skills and 12,000 characters. It does not say that the others exist.',
      'search-*': 'Its BM25 index.',
    },
  },
  {
    id: 'google-adk',
    name: 'Google ADK',
    package: '@google/adk',
    cannot: { ...neither, 'later-listing': fixedList, 'search-*': 'Its search asks a registry in the cloud.' },
    notes: {
      ...loadsFromMemory,
      'file-read': 'From memory: it has read all files when it listed.',
      'load-tokens': 'The result also holds the files of the skill.',
    },
  },
  {
    id: 'skills-ref',
    name: 'skills-ref',
    package: 'skills-ref',
    cannot: { ...neither, 'file-read': parserFiles },
    notes: { 'bundle-*': 'A parser, without tools or state.' },
  },
  {
    id: 'skill-tools',
    name: 'skill-tools',
    package: '@skill-tools/core',
    cannot: { ...neither, 'file-read': parserFiles },
    notes: {
      ...loadsFromMemory,
      'first-listing': 'It counts the tokens of every file.',
      'catalog-tokens': 'It is a parser: this benchmark writes its lines.',
      'bundle-*': 'A parser, without tools or state, with a tokenizer.',
    },
  },
];

/** A library that takes part in search alone. */
export const minisearch: Contender = {
  id: 'minisearch',
  name: 'MiniSearch',
  package: 'minisearch',
  cannot: { '*': 'It is a library for search in general: what is read of skills is read by this benchmark.' },
};

/** The floor of a row stands in tables like a contender. */
export const floor: Contender = { id: 'floor', name: 'floor', package: '', cannot: {} };

/** The entry of a row in such a table: its own, that of its group (`http-*`), or that of all. */
export function entryFor(table: Readonly<Record<string, string>> | undefined, row: string): string | undefined {
  if (table === undefined) return undefined;
  const group = Object.keys(table).find((key) => key.length > 1 && key.endsWith('*') && row.startsWith(key.slice(0, -1)));
  return table[row] ?? (group === undefined ? undefined : table[group]) ?? table['*'];
}
