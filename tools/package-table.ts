/**
 * Where a package stands: `stable` is the product, `beta` stands beside it, `preview` around both.
 * Except for the command, no package depends on one of a ring further out.
 * `docs/reference/stability.md` says what each ring promises.
 */
export type StabilityRing = 'stable' | 'beta' | 'preview';

/** An entry point with code. */
export interface PackageEntry {
  /** Whether it runs on Workers, where nothing of Node is. */
  readonly workers: boolean;
  /**
   * Optional peers that the user installs for it, the one that is imported first in front. @default
   * none
   */
  readonly peers?: readonly string[];
}

/** What is known of a published package beside its `package.json`. */
export interface PackageRow {
  readonly ring: StabilityRing;
  /** In a few words, for tables. */
  readonly what: string;
  readonly runsOn: string;
  /** Its page, from `docs/reference`. */
  readonly page: string;
  /** By the path after the name of the package; `''` is the package itself. */
  readonly entries: Readonly<Record<string, PackageEntry>>;
}

/**
 * Every published package, in the order of tables: the one place to add a package to, beside what
 * it may import (`test/repo/import-table.ts`) and what it may weigh (`size-ceilings.ts`).
 * `node tools/package-pages.ts --update` writes from it the tables of documents, and the line on
 * stability in each package's README and `package.json`.
 */
export const packageTable: Readonly<Record<string, PackageRow>> = {
  'skills-core': {
    ring: 'stable',
    what: 'the contract, SKILL.md, skills in code, composition, catalog, tools, state, policy',
    runsOn: 'everywhere',
    page: '../../packages/skills-core/README.md',
    entries: {
      '': { workers: true },
      adapter: { workers: true },
      internal: { workers: true },
      provider: { workers: true },
      'skill-md': { workers: true },
      versions: { workers: true },
    },
  },
  'skill-fs': {
    ring: 'stable',
    what: 'skills from folders',
    runsOn: 'Node.js',
    page: '../sources/file-system.md',
    entries: {
      '': { workers: false },
      agent: { workers: false },
      internal: { workers: false },
    },
  },
  'skill-cards': {
    ring: 'stable',
    what: 'skill cards: read, write, check, sources with cards',
    runsOn: 'everywhere',
    page: 'skill-card.md',
    entries: {
      '': { workers: true },
      provider: { workers: true },
      internal: { workers: true },
    },
  },
  'skill-http': {
    ring: 'stable',
    what: 'skills from web sites, and any provider published as one',
    runsOn: 'everywhere; `/node` on Node.js',
    page: '../sources/http.md',
    entries: {
      '': { workers: true },
      server: { workers: true },
      node: { workers: false },
      internal: { workers: true },
    },
  },
  'skill-mcp': {
    ring: 'stable',
    what: 'skills from MCP servers, and any provider published on one',
    runsOn: 'everywhere',
    page: '../sources/mcp.md',
    entries: {
      '': { workers: true },
      server: { workers: true, peers: ['@modelcontextprotocol/server'] },
      internal: { workers: true },
    },
  },
  'skill-storage': {
    ring: 'stable',
    what: 'skills in R2, KV, S3 and some twenty more, published as releases',
    runsOn: 'everywhere',
    page: '../sources/storage.md',
    entries: {
      '': { workers: true },
      write: { workers: true },
    },
  },
  'adapter-vercel-ai': {
    ring: 'stable',
    what: 'skills for AI SDK 7',
    runsOn: 'everywhere',
    page: '../../packages/adapter-vercel-ai/README.md',
    entries: {
      '': { workers: true },
      chat: { workers: true },
      'chat/client': { workers: true },
      'chat/react': { workers: false, peers: ['react'] },
      ui: { workers: true },
      upload: { workers: true },
      mcp: { workers: true, peers: ['@ai-sdk/mcp'] },
    },
  },
  'adapter-openai-agents': {
    ring: 'stable',
    what: 'skills for the OpenAI Agents SDK',
    runsOn: 'everywhere',
    page: '../../packages/adapter-openai-agents/README.md',
    entries: {
      '': { workers: false },
    },
  },
  'adapter-langchain': {
    ring: 'stable',
    what: 'skills for LangChain and LangGraph.js',
    runsOn: 'Node.js; Workers',
    page: '../../packages/adapter-langchain/README.md',
    entries: {
      '': { workers: true, peers: ['langchain'] },
      langgraph: { workers: true },
      mcp: { workers: false, peers: ['@langchain/mcp-adapters'] },
    },
  },
  'skills-testkit': {
    ring: 'stable',
    what: 'the conformance suites for sources and adapters; scripted models for tests',
    runsOn: 'everywhere',
    page: '../guide/write-a-provider.md',
    entries: {
      '': { workers: true },
      adapter: { workers: true },
      'ai-sdk': { workers: true },
      internal: { workers: true },
      langchain: { workers: true },
      plugins: { workers: true },
      routing: { workers: true },
      vitest: { workers: false, peers: ['vitest'] },
    },
  },
  cli: {
    ring: 'stable',
    what: 'the `repertoire` command: check, test, bundle, publish and inspect skills; a plugin for bundlers',
    runsOn: 'Node.js',
    page: '../reference/cli.md',
    entries: {
      '': { workers: false },
      plugin: { workers: false },
    },
  },
  'agent-plugins': {
    ring: 'beta',
    what: 'Agent Plugins: their skills, and their MCP servers as tools',
    runsOn: 'everywhere; `/node` on Node.js',
    page: '../guide/plugins.md',
    entries: {
      '': { workers: true },
      node: { workers: false },
      servers: { workers: true, peers: ['@modelcontextprotocol/client'] },
      'ai-sdk': { workers: true, peers: ['ai'] },
      langchain: { workers: true, peers: ['@langchain/core'] },
      'openai-agents': { workers: false, peers: ['@openai/agents-core'] },
      internal: { workers: true },
    },
  },
  'skill-search': {
    ring: 'beta',
    what: 'finds the fitting skills of a large library, by words and by meaning',
    runsOn: 'everywhere',
    page: '../guide/search.md',
    entries: {
      '': { workers: true },
      analysis: { workers: true },
      languages: { workers: true },
    },
  },
  'skill-trust': {
    ring: 'beta',
    what: 'signed skills: verify, sign, a policy over any source; locks',
    runsOn: 'everywhere; `/node` and `/sigstore` on Node.js',
    page: '../guide/signatures.md',
    entries: {
      '': { workers: true },
      lock: { workers: true },
      provider: { workers: true },
      node: { workers: false },
      sigstore: { workers: false, peers: ['@sigstore/bundle', '@sigstore/protobuf-specs', '@sigstore/sign', '@sigstore/verify'] },
    },
  },
  'skill-runner': {
    ring: 'beta',
    what: 'scripts and snippets of skills, run confined',
    runsOn: 'everywhere; `/process` and `/wasm` on Node.js',
    page: '../guide/scripts.md',
    entries: {
      '': { workers: true },
      scripts: { workers: true },
      'just-bash': { workers: true },
      process: { workers: false },
      wasm: { workers: false },
    },
  },
  'skill-workflow': {
    ring: 'beta',
    what: 'workflow skills and agents that survive a crash, on durable engines',
    runsOn: 'everywhere; `/pglite` on Node.js',
    page: '../guide/workflows.md',
    entries: {
      '': { workers: true },
      source: { workers: true },
      agent: { workers: true },
      'ai-sdk': { workers: true },
      langchain: { workers: true },
      dbos: { workers: true },
      pglite: { workers: false, peers: ['@electric-sql/pglite'] },
      cloudflare: { workers: true },
      langgraph: { workers: true },
      temporal: { workers: true },
      restate: { workers: true },
    },
  },
  'skill-proposals': {
    ring: 'beta',
    what: 'skills that agents propose and people accept',
    runsOn: 'everywhere; `/node` on Node.js',
    page: '../guide/proposals.md',
    entries: {
      '': { workers: true },
      check: { workers: true },
      internal: { workers: true },
      node: { workers: false },
    },
  },
  declarative: {
    ring: 'preview',
    what: 'agents as YAML, compiled to LangGraph.js graphs',
    runsOn: 'Node.js; Workers',
    page: '../../packages/declarative/README.md',
    entries: {
      '': { workers: true },
      node: { workers: false },
    },
  },
  inspector: {
    ring: 'preview',
    what: 'a local page for skills, prompts and recorded conversations',
    runsOn: 'Node.js',
    page: '../guide/inspect.md',
    entries: {
      '': { workers: false },
    },
  },
  bridges: {
    ring: 'preview',
    what: 'a library as the source of skills of Mastra, Cloudflare Agents, Deep Agents, TanStack AI, Google ADK, sandboxes of OpenAI Agents, and of whatever reads folders',
    runsOn: 'everywhere; `/mastra`, `/adk` and `/files` on Node.js',
    page: '../guide/bridges.md',
    entries: {
      mastra: { workers: false },
      cloudflare: { workers: true },
      deepagents: { workers: true },
      tanstack: { workers: true },
      adk: { workers: false },
      'openai-sandbox': { workers: true },
      files: { workers: false },
    },
  },
};
