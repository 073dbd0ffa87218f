/** Whether an entry point runs on Workers, where nothing of Node is. */
export type WorkerSupport = 'yes' | 'no';

/** Where each entry point with code runs. `docs/reference/platforms.md` shows the same table. */
export const workerSupport: Readonly<Record<string, WorkerSupport>> = {
  '@repertoire/adapter-langchain': 'yes',
  '@repertoire/adapter-langchain/langgraph': 'yes',
  '@repertoire/adapter-langchain/mcp': 'no',
  '@repertoire/adapter-vercel-ai': 'yes',
  '@repertoire/adapter-vercel-ai/mcp': 'yes',
  '@repertoire/adapter-vercel-ai/ui': 'yes',
  '@repertoire/adapter-vercel-ai/upload': 'yes',
  '@repertoire/cli': 'no',
  '@repertoire/cli/plugin': 'no',
  '@repertoire/skill-fs': 'no',
  '@repertoire/skill-http': 'yes',
  '@repertoire/skill-http/node': 'no',
  '@repertoire/skill-http/server': 'yes',
  '@repertoire/skill-mcp': 'yes',
  '@repertoire/skill-mcp/server': 'yes',
  '@repertoire/skill-search': 'yes',
  '@repertoire/skill-search/analysis': 'yes',
  '@repertoire/skill-storage': 'yes',
  '@repertoire/skills-core': 'yes',
  '@repertoire/skills-core/skill-md': 'yes',
  '@repertoire/skills-core/versions': 'yes',
  '@repertoire/skills-testkit': 'yes',
  '@repertoire/skills-testkit/ai-sdk': 'yes',
  '@repertoire/skills-testkit/langchain': 'yes',
  '@repertoire/skills-testkit/vitest': 'no',
};
