import { mkdtemp, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testSkillProvider, type SkillLibraryFiles } from '@repertoire/skills-testkit/vitest';
import { fileSystemSkillProvider } from '../src/index.ts';

async function fill(folder: string, files: SkillLibraryFiles): Promise<void> {
  for (const [inner, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, inner)), { recursive: true });
    await writeFile(path.join(folder, inner), content);
  }
}

async function temporary(): Promise<string> {
  return await realpath(await mkdtemp(path.join(tmpdir(), 'skill-fs-conformance-')));
}

testSkillProvider({
  name: 'skill-fs',
  abilities: ['watch', 'dispose', 'versions', 'raw', 'write'],
  trusted: true,
  create: async (files) => {
    const outer = await temporary();
    // The name of a root is part of the places of its skills, so it is the same each time.
    const folder = path.join(outer, 'skills');
    await mkdir(folder);
    await fill(folder, files);
    return {
      provider: fileSystemSkillProvider({ roots: [folder], writable: true, watch: { debounceMs: 20 } }),
      change: async (next) => {
        for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
        await fill(folder, next);
      },
      dispose: () => rm(outer, { recursive: true }),
    };
  },
  failing: async () => {
    const folder = await temporary();
    await writeFile(path.join(folder, 'file'), 'A root that is a file.');
    return { provider: fileSystemSkillProvider({ roots: [path.join(folder, 'file')] }), dispose: () => rm(folder, { recursive: true }) };
  },
});
