import type { skillsMiddleware } from '@repertoire/adapter-langchain';
import type { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { createSkillset } from '@repertoire/skills-core';
import type { CheckpointAgent, LangChain } from '../../src/checkpoint-agent.ts';

interface Repertoire {
  readonly createSkillset: typeof createSkillset;
  readonly fileSystemSkillProvider: typeof fileSystemSkillProvider;
  readonly skillsMiddleware: typeof skillsMiddleware;
}

/** An agent of `createAgent` with `skillsMiddleware`. */
export async function importAgent(folder: string): Promise<CheckpointAgent> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const repertoire = {
    ...(await load('@repertoire/skills-core')),
    ...(await load('@repertoire/skill-fs')),
    ...(await load('@repertoire/adapter-langchain')),
  } as Repertoire;
  const skillset = repertoire.createSkillset({ provider: repertoire.fileSystemSkillProvider({ roots: [folder] }) });
  return {
    langchain: await importLangChain(),
    tools: [],
    middleware: [repertoire.skillsMiddleware(skillset)],
    callFor: (name) => ({ name: 'load_skill', args: { name } }),
  };
}

/** The copy of LangChain that the adapter of this checkout is tested with. */
export async function importLangChain(): Promise<LangChain> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  return {
    ...(await load('langchain')),
    ...(await load('@langchain/core/tools')),
    ...(await load('@langchain/core/messages')),
    ...(await load('@langchain/core/language_models/chat_models')),
    ...(await load('@langchain/langgraph')),
  } as LangChain;
}
