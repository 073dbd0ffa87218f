/**
 * The optional peer that an entry point needs. All others are installed by the package manager itself. `docs/reference/platforms.md` shows the same table.
 */
export const neededPeers: Readonly<Record<string, string>> = {
  '@repertoire/adapter-langchain': 'langchain',
  '@repertoire/adapter-langchain/mcp': '@langchain/mcp-adapters',
  '@repertoire/adapter-vercel-ai/mcp': '@ai-sdk/mcp',
  '@repertoire/agent-plugins/ai-sdk': 'ai',
  '@repertoire/agent-plugins/langchain': '@langchain/core',
  '@repertoire/agent-plugins/openai-agents': '@openai/agents-core',
  '@repertoire/agent-plugins/servers': '@modelcontextprotocol/client',
  '@repertoire/skill-mcp/server': '@modelcontextprotocol/server',
  '@repertoire/skill-workflow/pglite': '@electric-sql/pglite',
  '@repertoire/skill-trust/sigstore': '@sigstore/bundle',
  '@repertoire/skills-testkit/vitest': 'vitest',
};
