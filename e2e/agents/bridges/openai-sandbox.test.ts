import { Manifest, skills, type SkillsArgs } from '@openai/agents-core/sandbox';
import { UnixLocalSandboxClient } from '@openai/agents-core/sandbox/local';
import { lazySandboxSkills, sandboxSkillDescriptors } from '@repertoire/bridges/openai-sandbox';
import { afterAll } from 'vitest';
import { testBridge, type OpenedBridge } from '../bridge-cases.ts';

const sessions: { close?(): Promise<void> }[] = [];
afterAll(async () => {
  for (const session of sessions) await session.close?.();
});

/** A sandbox on this machine: the skills are files in it, and a model reads them there. */
async function drive(args: SkillsArgs, isLazy: boolean): Promise<OpenedBridge> {
  const capability = skills(args);
  const manifest = capability.processManifest(new Manifest({ entries: {} }));
  const session = await new UnixLocalSandboxClient().create({ manifest });
  sessions.push(session);
  capability.bind(session);
  // Each operation on a file starts a program of the framework's.
  const loaded = new Set<string>();
  const read = async (name: string, path: string): Promise<Uint8Array | null> => {
    if (isLazy && !loaded.has(name)) {
      const [tool] = capability.tools();
      if (tool?.type !== 'function') throw new Error('There is no load_skill.');
      const answer: unknown = await tool.invoke({} as never, JSON.stringify({ skill_name: name }));
      if (typeof answer === 'string') return null;
      loaded.add(name);
    }
    const content = await session.readFile({ path: `.agents/${name}/${path}` });
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  const readText = async (name: string, path: string): Promise<string | null> => {
    const bytes = await read(name, path);
    return bytes && new TextDecoder().decode(bytes);
  };
  return {
    async list() {
      const text = (await capability.instructions(manifest)) ?? '';
      return [...text.matchAll(/^- ([a-z0-9-]+): /gm)].map(([, name]) => name ?? '');
    },
    load: (name) => readText(name, 'SKILL.md'),
    readText,
    readScript: readText,
    readBytes: read,
  };
}

testBridge({
  name: 'OpenAI Agents, descriptors of a sandbox',
  isLive: false,
  loadsWholeFile: true,
  open: async ({ skillset }, context) => drive({ skills: await sandboxSkillDescriptors(skillset, { context }) }, false),
});

testBridge({
  name: 'OpenAI Agents, the lazy index of a sandbox',
  isLive: false,
  loadsWholeFile: true,
  open: async ({ skillset }, context) => drive({ lazyFrom: await lazySandboxSkills(skillset, { context }) }, true),
});
