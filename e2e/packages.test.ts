import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCleanProject, type CleanProject } from './clean-project.ts';

let project: CleanProject;

beforeAll(async () => {
  project = await createCleanProject();
}, 120_000);
afterAll(async () => {
  await project?.[Symbol.asyncDispose]();
});

function entryPoints(): string[] {
  return project.packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter((entry) => entry !== './package.json')
      .map((entry) => join(manifest.name, entry)),
  );
}

describe('the packed packages in a clean project', { timeout: 60_000 }, () => {
  it('hold their code, their license, and none of their sources', () => {
    for (const { manifest, files } of project.packages) {
      expect(files, manifest.name).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']));
      expect(
        files.filter((file) => !/^(?:dist\/|package\.json$|LICENSE$|README\.md$)/.test(file)),
        manifest.name,
      ).toEqual([]);
    }
  });

  it('load in plain Node, every entry point', async () => {
    // The test runner's own package only loads inside a run.
    const entries = entryPoints().filter((entry) => !entry.endsWith('/vitest'));
    const lines = entries.map(
      (entry) => `console.log(${JSON.stringify(entry)}, Object.keys(await import(${JSON.stringify(entry)})).length > 0);`,
    );
    await writeFile(join(project.directory, 'load.mjs'), lines.join('\n'));
    const { ok, output } = await project.run(['node', 'load.mjs']);
    expect({ ok, output }).toEqual({ ok: true, output: entries.map((entry) => `${entry} true\n`).join('') });
  });

  it('type-check for a user without `skipLibCheck`, every entry point', async () => {
    const lines = entryPoints().map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)};`);
    await writeFile(join(project.directory, 'types.ts'), lines.join('\n'));
    const { output } = await project.run(
      'tsc --ignoreConfig --noEmit --strict --target es2022 --lib es2022,esnext.disposable,dom --module nodenext --types --pretty false types.ts'.split(
        ' ',
      ),
    );
    // The declarations of others may have errors of their own.
    expect(output.split('\n').filter((line) => line.includes('@repertoire') || line.startsWith('types.ts'))).toEqual([]);
  });

  it('SRC-1: read a folder of skills', async () => {
    const folder = join(project.directory, 'skills/greeting');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), '---\nname: greeting\ndescription: Greets. Use at the start.\n---\nSay hello.\n');
    await writeFile(
      join(project.directory, 'read.mjs'),
      `import { createSkillset } from '@repertoire/skills-core';
       import { fileSystemSkillProvider } from '@repertoire/skill-fs';
       const skillset = createSkillset({ provider: fileSystemSkillProvider({ roots: ['skills'] }) });
       const catalog = await skillset.catalog();
       const skill = await skillset.provider.getSkill('greeting');
       console.log(JSON.stringify([catalog.skills.map(({ name }) => name), skill?.body]));`,
    );
    const { output } = await project.run(['node', 'read.mjs']);
    expect(output).toBe('[["greeting"],"Say hello."]\n');
  });
});
