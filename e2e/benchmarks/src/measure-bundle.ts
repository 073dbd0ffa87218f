import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleForWorkers } from '../../../tools/bundle-for-workers.ts';

/** What a Worker with skills imports, by the id of the contender. */
const entries: Readonly<Record<string, string>> = {
  floor: `
    export function skillsOf(skills) {
      return {
        catalog: skills.map(({ name, description }) => '- ' + name + ': ' + description).join('\\n'),
        load: (name) => skills.find((skill) => skill.name === name)?.body ?? 'There is no skill ' + name + '.',
      };
    }`,
  repertoire: `export { createSkillset, defineSkill } from '@repertoire/skills-core'; export { aiSdkSkills } from '@repertoire/adapter-vercel-ai';`,
  'openai-agents': `export { skills } from '@openai/agents/sandbox';`,
  strands: `export { AgentSkills, Skill } from '@strands-agents/sdk/vended-plugins/skills';`,
  'cloudflare-agents': `export { loadSkillCatalog, r2 } from 'agents/skills'; export { createSkillTools } from 'agents/skills/tools/ai-sdk';`,
  'bash-tool': `export { experimental_createSkillTool, createBashTool } from 'bash-tool';`,
  deepagents: `export { createSkillsMiddleware, createFilesystemMiddleware, StateBackend } from 'deepagents';`,
  mastra: `export { Workspace, createSkillTools } from '@mastra/core/workspace'; export { SkillsProcessor } from '@mastra/core/processors';`,
  voltagent: `export { Workspace } from '@voltagent/core';`,
  'google-adk': `export { SkillToolset } from '@google/adk';`,
  'skills-ref': `export { toPrompt, parseFrontmatter } from 'skills-ref';`,
  'skill-tools': `export { parseSkillContent } from '@skill-tools/core';`,
};

/** What a host has anyway. */
const hosts = ['ai', '@ai-sdk/*', 'zod', 'zod/*', 'langchain', '@langchain/*'];

/** What the skills of a contender weigh in a Worker. */
export interface BundleMeasurement {
  /** KiB by row. */
  readonly rows: Readonly<Record<string, number>>;
  /** Modules of Node.js that it imports. */
  readonly builtIns: readonly string[];
}

/**
 * Bundles the skills of a contender for Workers.
 *
 * @throws {Error} esbuild's, where it cannot be bundled
 */
export async function measureBundle(id: string): Promise<BundleMeasurement> {
  const resolveFolder = path.join(import.meta.dirname, '../peers', id);
  const bundle = async (external: readonly string[]): Promise<{ readonly kib: number; readonly imports: readonly string[] }> => {
    const { code, imports } = await bundleForWorkers(entries[id] ?? '', { external, resolveFolder, loader: { '.wasm': 'binary' } });
    return { kib: gzipSync(code, { level: 9 }).length / 1024, imports };
  };
  const all = await bundle([]);
  const builtIns = all.imports.filter((name) => name.startsWith('node:'));
  return { rows: { 'bundle-own': (await bundle(hosts)).kib, 'bundle-all': all.kib }, builtIns };
}
