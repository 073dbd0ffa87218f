/** What the source of one package may import, besides its own files. */
export interface ImportRule {
  /** Packages that any file may import, with all of their entry points. */
  readonly any: readonly string[];
  /** Packages that only some files may import, by the start of a file's path in the package. */
  readonly only?: readonly { readonly under: readonly string[]; readonly imports: readonly string[] }[];
  /**
   * Which files may import `node:*`, by the start of a file's path in the package. @default none
   */
  readonly node?: readonly string[];
  /**
   * Files that may import a path which is computed: only where a person names a module of their own
   * on the command line. Whoever types a command may run any code by it; what a source, a skill or
   * an agent's file says is never imported.
   * @default none
   */
  readonly computed?: readonly string[];
}

/**
 * The import table of the architecture, literally. A package that is not here does not pass; a line
 * that is added here is a decision about the architecture, not a repair. Lint enforces the same
 * table: `.oxlintrc.json` holds it as overrides.
 */
export const importTable: Readonly<Record<string, ImportRule>> = {
  'skills-core': {
    any: ['tokenx', 'semver'],
    only: [
      // Hashes that cannot wait, where the platform has none of its own.
      { under: ['src/providers/digest/'], imports: ['@noble/hashes'] },
      { under: ['src/format/', 'src/skill-md.ts'], imports: ['yaml', '#yaml'] },
    ],
  },
  'skills-testkit': {
    any: ['@repertoire/skills-core'],
    only: [
      { under: ['src/vitest.ts'], imports: ['vitest'] },
      { under: ['src/adapter/gates/'], imports: ['fast-check'] },
      { under: ['src/routing.ts', 'src/routing/'], imports: ['vitest', '@repertoire/skill-search'] },
      { under: ['src/ai-sdk.ts', 'src/models/scripted-ai-sdk-model.ts'], imports: ['@ai-sdk/provider'] },
      { under: ['src/langchain.ts', 'src/models/scripted-chat-model.ts'], imports: ['@langchain/core'] },
    ],
  },
  'skill-cards': { any: ['@repertoire/skills-core'] },
  'skill-proposals': { any: ['@repertoire/skills-core'], node: ['src/node.ts', 'src/node/'] },
  'skill-fs': {
    any: ['@repertoire/skills-core'],
    only: [{ under: ['src/card-record.ts'], imports: ['@repertoire/skill-cards'] }],
    node: ['src/'],
  },
  'agent-plugins': {
    any: ['@repertoire/skills-core'],
    only: [
      { under: ['src/servers/', 'src/servers.ts'], imports: ['@modelcontextprotocol/client', '@repertoire/skill-mcp'] },
      { under: ['src/node/', 'src/node.ts'], imports: ['@modelcontextprotocol/client', '@repertoire/skill-fs'] },
      { under: ['src/ai-sdk.ts'], imports: ['ai'] },
      { under: ['src/langchain.ts'], imports: ['@langchain/core'] },
      { under: ['src/openai-agents.ts'], imports: ['@openai/agents-core'] },
    ],
    node: ['src/node.ts', 'src/node/'],
  },
  'skill-http': {
    any: ['@repertoire/skills-core', 'fflate', 'http-cache-semantics', 'ipaddr.js', 'modern-tar', 'unzipit'],
    only: [
      { under: ['src/node.ts', 'src/node/'], imports: ['undici'] },
      { under: ['src/server/', 'src/discovery/read-card-entry.ts'], imports: ['@repertoire/skill-cards'] },
    ],
    node: ['src/node.ts', 'src/node/'],
  },
  'skill-mcp': {
    any: ['@repertoire/skills-core'],
    only: [{ under: ['src/server.ts', 'src/server/'], imports: ['@modelcontextprotocol/server'] }],
  },
  'skill-storage': { any: ['@repertoire/skills-core'] },
  'skill-search': {
    any: ['@repertoire/skills-core'],
    only: [
      { under: ['src/languages/'], imports: ['@orama/stemmers'] },
      { under: ['src/text/term-hash.ts'], imports: ['stemmer'] },
    ],
  },
  'skill-workflow': {
    any: ['@repertoire/skills-core', 'json-p3'],
    only: [
      { under: ['src/source.ts', 'src/source/'], imports: ['yaml'] },
      { under: ['src/engines/sandbox-crypto.ts'], imports: ['@noble/hashes'] },
      { under: ['src/ai-sdk.ts', 'src/ai-sdk/'], imports: ['ai'] },
      { under: ['src/langgraph.ts', 'src/langgraph/'], imports: ['@langchain/langgraph'] },
      { under: ['src/pglite.ts', 'src/node/'], imports: ['@electric-sql/pglite', '@electric-sql/pglite-socket'] },
    ],
    node: ['src/pglite.ts', 'src/node/'],
  },
  'skill-trust': {
    any: ['@repertoire/skills-core'],
    only: [
      {
        under: ['src/sigstore.ts', 'src/sigstore/'],
        imports: ['@sigstore/bundle', '@sigstore/protobuf-specs', '@sigstore/sign', '@sigstore/verify'],
      },
    ],
    node: ['src/node.ts', 'src/node/'],
  },
  'skill-runner': {
    any: ['@repertoire/skills-core', 'quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'],
    node: ['src/process.ts', 'src/process/', 'src/wasm.ts', 'src/wasm/'],
  },
  cli: {
    // Of proposals, the reader of risks is everywhere where a person decides about skills.
    any: ['@repertoire/skills-core', '@repertoire/skill-fs', '@repertoire/skill-proposals'],
    only: [
      { under: ['src/run.ts', 'src/commands/'], imports: ['commander'] },
      {
        under: ['src/commands/inspect.ts'],
        imports: ['commander', '@repertoire/inspector', '@repertoire/skill-trust'],
      },
      { under: ['src/bundle/collect-skills.ts'], imports: ['@repertoire/skill-trust'] },
      { under: ['src/commands/card.ts'], imports: ['commander', '@repertoire/skill-cards'] },
      { under: ['src/proposals/'], imports: ['@repertoire/skill-trust', 'diff'] },
      { under: ['src/trust/'], imports: ['commander', '@repertoire/skill-trust'] },
      {
        under: ['src/commands/sign.ts', 'src/commands/verify.ts', 'src/commands/lock.ts', 'src/commands/install.ts'],
        imports: ['commander', '@repertoire/skill-trust'],
      },
      {
        under: ['src/serve/'],
        imports: ['@repertoire/skill-http', '@repertoire/skill-mcp', '@modelcontextprotocol/node', '@modelcontextprotocol/server'],
      },
      {
        under: ['src/source/'],
        imports: [
          '@repertoire/skill-http',
          '@repertoire/skill-mcp',
          '@repertoire/skill-storage',
          '@repertoire/agent-plugins',
          '@modelcontextprotocol/client',
          'fast-glob',
        ],
      },
      { under: ['src/commands/plugin.ts'], imports: ['commander', '@repertoire/agent-plugins'] },
      { under: ['src/agent-plugin/'], imports: ['@repertoire/agent-plugins', '@repertoire/skill-trust', 'fflate'] },
      { under: ['src/text/', 'src/completion/'], imports: ['commander'] },
      { under: ['src/search/', 'src/routing/'], imports: ['@repertoire/skill-search'] },
      { under: ['src/routing/read-baseline.ts'], imports: ['@repertoire/skill-search', '@repertoire/skill-trust'] },
      { under: ['src/model/', 'src/activation/'], imports: ['ai', '@repertoire/adapter-vercel-ai'] },
      {
        under: ['src/request/'],
        imports: ['ai', '@repertoire/adapter-vercel-ai', '@repertoire/skill-runner', 'just-bash'],
      },
      { under: ['src/diff/'], imports: ['diff'] },
      {
        under: ['src/lint/'],
        imports: [
          'fastest-levenshtein',
          '@repertoire/skill-workflow',
          'commonmark',
          'picomatch',
          '@secretlint/core',
          '@secretlint/secretlint-rule-preset-recommend',
          '@wasm-fmt/ruff_fmt',
          'acorn',
          'unbash',
        ],
      },
      {
        under: ['src/commands/publish.ts', 'src/publish/'],
        imports: ['commander', '@repertoire/skill-storage', '@repertoire/skill-trust', 'aws4fetch', 'wrangler'],
      },
      { under: ['src/search/'], imports: ['@repertoire/skill-search'] },
      { under: ['src/plugin.ts', 'src/plugin/'], imports: ['unplugin'] },
      {
        under: ['src/commands/agent.ts', 'src/agent/'],
        imports: ['commander', '@repertoire/declarative', '@langchain/anthropic', '@langchain/openai'],
      },
    ],
    // The model of --model, and the module of --host: what the user names, or installed.
    computed: ['src/agent/import-host-module.ts', 'src/model/open-model.ts'],
    node: ['src/'],
  },
  'adapter-vercel-ai': {
    any: ['@repertoire/skills-core', 'ai'],
    only: [
      { under: ['src/mcp.ts', 'src/sources/mcp-tools.ts'], imports: ['@ai-sdk/mcp', '@repertoire/skill-mcp'] },
      { under: ['src/chat/react.ts', 'src/chat/react/'], imports: ['react'] },
    ],
  },
  'adapter-openai-agents': { any: ['@repertoire/skills-core', '@openai/agents-core'] },
  'adapter-langchain': {
    any: ['@repertoire/skills-core', '@langchain/core', '@langchain/langgraph', 'zod'],
    only: [
      { under: ['src/index.ts', 'src/middleware/'], imports: ['langchain'] },
      { under: ['src/mcp.ts', 'src/tools-of-skills/mcp-tools.ts'], imports: ['@langchain/mcp-adapters', '@repertoire/skill-mcp'] },
    ],
  },
  bridges: {
    any: ['@repertoire/skills-core'],
    // Buffers, which Mastra and the ADK want; and folders.
    node: ['src/mastra.ts', 'src/mastra/', 'src/adk.ts', 'src/adk/', 'src/files.ts', 'src/files/'],
  },
  inspector: {
    any: ['@repertoire/skills-core'],
    only: [
      {
        under: ['src/library/'],
        imports: ['@repertoire/skill-proposals', '@repertoire/skill-search', '@repertoire/skill-trust', 'd3-force'],
      },
      { under: ['src/review/'], imports: ['@repertoire/skill-proposals', '@repertoire/skill-search'] },
      { under: ['src/frameworks/ai-sdk.ts'], imports: ['@repertoire/adapter-vercel-ai', 'ai'] },
      {
        under: ['src/frameworks/langchain.ts'],
        imports: ['@repertoire/adapter-langchain', '@langchain/core', '@langchain/langgraph', 'langchain'],
      },
      { under: ['src/frameworks/openai-agents.ts'], imports: ['@repertoire/adapter-openai-agents', '@openai/agents-core'] },
      { under: ['src/server/'], imports: ['hono', '@hono/node-server', '#ui-assets'] },
      { under: ['src/report/'], imports: ['#ui-assets'] },
      { under: ['src/server/inspector-data.ts'], imports: ['@repertoire/skill-trust'] },
    ],
    node: ['src/'],
  },
  declarative: {
    any: [
      '@repertoire/skills-core',
      '@repertoire/skill-cards',
      '@repertoire/adapter-langchain',
      '@langchain/core',
      '@langchain/langgraph',
      'zod',
    ],
    only: [
      { under: ['src/cel/'], imports: ['@marcbachmann/cel-js'] },
      { under: ['src/node.ts', 'src/node/'], imports: ['@repertoire/skill-fs'] },
      { under: ['src/sources/web-reader.ts'], imports: ['@repertoire/skill-http'] },
      { under: ['src/document/'], imports: ['yaml'] },
    ],
    node: ['src/node.ts', 'src/node/'],
  },
};
