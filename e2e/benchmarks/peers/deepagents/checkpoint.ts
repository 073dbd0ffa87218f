import type { CheckpointAgent, LangChain } from '../../src/checkpoint-agent.ts';

interface DeepAgents {
  readonly FilesystemBackend: new (options: object) => object;
  createSkillsMiddleware(options: object): object;
  createFilesystemMiddleware(options: object): object;
}

/** An agent of `createAgent` with the two middlewares that Deep Agents has skills by: the list, and the tool that reads them. */
export async function importAgent(folder: string): Promise<CheckpointAgent> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const { FilesystemBackend, createSkillsMiddleware, createFilesystemMiddleware } = (await load('deepagents')) as DeepAgents;
  const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true });
  return {
    langchain: {
      ...(await load('langchain')),
      ...(await load('@langchain/core/tools')),
      ...(await load('@langchain/core/messages')),
      ...(await load('@langchain/core/language_models/chat_models')),
      ...(await load('@langchain/langgraph')),
    } as LangChain,
    tools: [],
    middleware: [createFilesystemMiddleware({ backend }), createSkillsMiddleware({ backend, sources: ['/'] })],
    callFor: (name) => ({ name: 'read_file', args: { file_path: `/${name}/SKILL.md`, limit: 1_000 } }),
  };
}
