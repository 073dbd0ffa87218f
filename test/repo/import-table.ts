/** What the source of one package may import, besides its own files. */
export interface ImportRule {
  /** Packages that any file may import, with all of their entry points. */
  readonly any: readonly string[];
  /** Packages that only some files may import, by the start of a file's path in the package. */
  readonly only?: readonly { readonly under: readonly string[]; readonly imports: readonly string[] }[];
  /** Which files may import `node:*`, by the start of a file's path in the package. @default none */
  readonly node?: readonly string[];
}

/**
 * The import table of the architecture, literally. A package that is not here does not pass; a line that is added here is a decision
 * about the architecture, not a repair. Lint enforces the same table: `.oxlintrc.json` holds it as overrides.
 */
export const importTable: Readonly<Record<string, ImportRule>> = {
  'skills-core': {
    any: ['fastest-levenshtein', 'tokenx', 'semver'],
    only: [{ under: ['src/format/', 'src/skill-md.ts'], imports: ['yaml'] }],
  },
  'skills-testkit': {
    any: ['@repertoire/skills-core'],
    only: [
      { under: ['src/vitest.ts'], imports: ['vitest'] },
      { under: ['src/ai-sdk.ts', 'src/models/scripted-ai-sdk-model.ts'], imports: ['@ai-sdk/provider'] },
      { under: ['src/langchain.ts', 'src/models/scripted-chat-model.ts'], imports: ['@langchain/core'] },
    ],
  },
  'skill-fs': { any: ['@repertoire/skills-core'], node: ['src/'] },
  'skill-http': {
    any: ['@repertoire/skills-core', 'fflate', 'http-cache-semantics', 'ipaddr.js', 'modern-tar', 'unzipit'],
    only: [{ under: ['src/node.ts', 'src/node/'], imports: ['undici'] }],
    node: ['src/node.ts', 'src/node/'],
  },
  'skill-mcp': {
    any: ['@repertoire/skills-core', 'yaml'],
    only: [{ under: ['src/server.ts', 'src/server/'], imports: ['@modelcontextprotocol/server'] }],
  },
  'skill-storage': { any: ['@repertoire/skills-core'] },
  'skill-search': {
    any: ['@repertoire/skills-core'],
    only: [{ under: ['src/text/term-hash.ts'], imports: ['stemmer'] }],
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
    any: ['@repertoire/skills-core', '@repertoire/skill-fs'],
    only: [
      { under: ['src/run.ts', 'src/commands/'], imports: ['commander'] },
      { under: ['src/commands/sign.ts', 'src/commands/verify.ts'], imports: ['commander', '@repertoire/skill-trust'] },
      {
        under: ['src/serve/'],
        imports: ['@repertoire/skill-http', '@repertoire/skill-mcp', '@modelcontextprotocol/node', '@modelcontextprotocol/server'],
      },
      { under: ['src/source/'], imports: ['@repertoire/skill-http', 'fast-glob'] },
      { under: ['src/text/', 'src/completion/'], imports: ['commander'] },
      { under: ['src/diff/'], imports: ['diff'] },
      { under: ['src/lint/'], imports: ['fastest-levenshtein', 'fast-glob'] },
      { under: ['src/commands/publish.ts', 'src/publish/'], imports: ['commander', '@repertoire/skill-storage', 'aws4fetch', 'wrangler'] },
      { under: ['src/plugin.ts', 'src/plugin/'], imports: ['unplugin'] },
    ],
    node: ['src/'],
  },
  'adapter-vercel-ai': {
    any: ['@repertoire/skills-core', 'ai'],
    only: [{ under: ['src/mcp.ts', 'src/sources/mcp-tools.ts'], imports: ['@ai-sdk/mcp'] }],
  },
  'adapter-langchain': {
    any: ['@repertoire/skills-core', '@langchain/core', '@langchain/langgraph', 'zod'],
    only: [
      { under: ['src/index.ts', 'src/middleware/'], imports: ['langchain'] },
      { under: ['src/mcp.ts', 'src/brought/mcp-tools.ts'], imports: ['@langchain/mcp-adapters'] },
    ],
  },
  declarative: {
    any: [
      '@repertoire/skills-core',
      '@repertoire/adapter-langchain',
      '@langchain/core',
      '@langchain/langgraph',
      'fastest-levenshtein',
      'zod',
    ],
    only: [
      { under: ['src/cel/'], imports: ['@marcbachmann/cel-js'] },
      { under: ['src/document/'], imports: ['yaml'] },
    ],
    node: ['src/node.ts', 'src/node/'],
  },
};
