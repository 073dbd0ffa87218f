import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testSkillProvider, type SkillLibraryFiles } from '@repertoire/skills-testkit/vitest';
import { memoryPluginFiles, pluginProvider, type PluginFiles } from '../src/index.ts';
import { pluginFolders } from '../src/node.ts';
import { manifestOf } from './support/plugins.ts';

const inPlugin = (files: SkillLibraryFiles): Record<string, string | Uint8Array> => ({
  'plugin.json': manifestOf('library'),
  ...Object.fromEntries(Object.entries(files).map(([file, content]) => [`skills/${file}`, content])),
});

testSkillProvider({
  name: 'PLG-1, CON-4: agent-plugins, in memory',
  abilities: ['raw'],
  trusted: false,
  create: async (files) => ({ provider: pluginProvider({ roots: [{ files: memoryPluginFiles(inPlugin(files)), name: 'memory' }] }) }),
  failing: async () => ({ provider: pluginProvider({ roots: [{ files: broken(), name: 'broken' }] }) }),
  stalled: async () => ({ provider: pluginProvider({ roots: [{ files: silent(), name: 'silent' }] }) }),
});

testSkillProvider({
  name: 'PLG-1, CON-4: agent-plugins, in a folder',
  abilities: ['raw', 'watch'],
  trusted: true,
  create: async (files) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-plugins-'));
    await fill(folder, files);
    return {
      provider: pluginProvider({ roots: pluginFolders([folder]), staleAfterMs: 20 }),
      change: async (next) => {
        await rm(path.join(folder, 'skills'), { recursive: true, force: true });
        await fill(folder, next);
      },
      dispose: () => rm(folder, { recursive: true }),
    };
  },
});

async function fill(folder: string, files: SkillLibraryFiles): Promise<void> {
  for (const [inner, content] of Object.entries(inPlugin(files))) {
    await mkdir(path.dirname(path.join(folder, inner)), { recursive: true });
    await writeFile(path.join(folder, inner), content);
  }
}

function broken(): PluginFiles {
  const fail = async (): Promise<never> => {
    throw new Error('The store is down.');
  };
  return { list: fail, read: fail, folder: broken };
}

function silent(): PluginFiles {
  const wait = () => new Promise<never>(() => {});
  return { list: wait, read: wait, folder: silent };
}
