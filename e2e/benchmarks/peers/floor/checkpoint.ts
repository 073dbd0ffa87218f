import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckpointAgent } from '../../src/checkpoint-agent.ts';
import { importLangChain } from '../repertoire/checkpoint.ts';

/** An agent whose tool returns the `SKILL.md`, and that remembers nothing of it. */
export async function importAgent(folder: string): Promise<CheckpointAgent> {
  const langchain = await importLangChain();
  const run = async ({ name }: { readonly name: string }): Promise<string> => readFileSync(path.join(folder, name, 'SKILL.md'), 'utf8');
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  return {
    langchain,
    tools: [langchain.tool(run, { name: 'load_skill', description: 'Loads a skill.', schema })],
    middleware: [],
    callFor: (name) => ({ name: 'load_skill', args: { name } }),
  };
}
