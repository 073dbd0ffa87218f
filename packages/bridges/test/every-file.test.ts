import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adkSkills } from '@repertoire/bridges/adk';
import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import { deepAgentsBackend } from '@repertoire/bridges/deepagents';
import { writeSkillFiles } from '@repertoire/bridges/files';
import { mastraSkills, mastraSkillSource } from '@repertoire/bridges/mastra';
import { lazySandboxSkills, sandboxSkillDescriptors } from '@repertoire/bridges/openai-sandbox';
import { tanstackSkillSource } from '@repertoire/bridges/tanstack';
import { createSkillset, SkillRegistry, type SkillDiagnostic, type Skillset } from '@repertoire/skills-core';
import { expect, it, onTestFinished } from 'vitest';
import { files, skillsOfEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';

/** A framework, and all that it sees of a library through its bridge. */
const bridges: Readonly<Record<string, (library: Skillset) => Promise<unknown>>> = {
  adk: adkSkills,
  cloudflare: async (library) => {
    const source = cloudflareSkillSource(library);
    const listed = await source.list();
    if (!listed.ok) throw listed.error;
    const read = listed.value.skills.flatMap(({ skill, resources }) =>
      resources.map(({ path: file }) => source.readResource(skill.name, file)),
    );
    return [listed, await Promise.all(read)];
  },
  deepagents: async (library) => {
    const backend = deepAgentsBackend(library);
    const found = (await backend.glob('**/*', '/')).files ?? [];
    const shown = found.map(async ({ path: file }) => [file, await backend.read(file), (await backend.readRaw(file)).data?.content]);
    return [found, await Promise.all(shown), await backend.ls('/files'), await backend.grep('Blanks')];
  },
  files: async (library) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'repertoire-every-file-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const written = await writeSkillFiles(library, { folder });
    const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const paths = entries.map((entry) => path.join(entry.parentPath, entry.name)).toSorted();
    return [
      { ...written, folder: undefined },
      await Promise.all(paths.map(async (file) => [path.relative(folder, file), await readFile(file)])),
    ];
  },
  mastra: async (library) => {
    const made = await mastraSkills(library, { createSkill: (input) => input })({ requestContext: { get: () => undefined } });
    const source = mastraSkillSource(library);
    const shown = async (at: string): Promise<unknown[]> => {
      const { name, type, size, mimeType } = await source.stat(at);
      if (type === 'file') return [at, name, size, mimeType, await source.readFile(at)];
      const inner = await source.readdir(at);
      return [at, inner, await Promise.all(inner.map((entry) => shown(path.posix.join(at, entry.name))))];
    };
    return [made, await shown('/')];
  },
  'openai-sandbox': async (library) => [await sandboxSkillDescriptors(library), await lazySandboxSkills(library)],
  tanstack: async (library) => {
    const source = tanstackSkillSource(library);
    const listed = await source.list();
    const shown = listed.map(async ({ name }) => {
      const [resources, scripts] = [await source.listResources(name), await source.listScripts(name)];
      const read = resources.map(async (file) => [file, await source.readResource(name, file)]);
      return [await source.load(name), resources, scripts, await Promise.all(read)];
    });
    return [listed, await Promise.all(shown)];
  },
};

it.each(Object.entries(bridges))('BRG-1: %s sees every field and every file of a library that it has a place for', async (name, see) => {
  const skill = { name: 'files', description: 'Has files.', body: 'Read them.', resources: files };
  const diagnostics: SkillDiagnostic[] = [];
  const provider = new SkillRegistry({ skills: [skill, ...skillsOfEveryField().slice(-4)] });
  const seen = await see(createSkillset({ provider, onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic) }));
  const told = diagnostics.map(({ code, skill: of, path: file }) => [code, of, file].join(' ')).toSorted();
  await expect(`${JSON.stringify([seen, told], shortBytes, 1)}\n`).toMatchFileSnapshot(`seen/${name}.txt`);
});

/** Bytes by their number and their sum: they are long. */
function shortBytes(_: string, value: unknown): unknown {
  const isBuffer = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
  const bytes = value instanceof Uint8Array ? value : isBuffer ? Uint8Array.from(value.data as number[]) : null;
  if (bytes !== null) return `${bytes.length} bytes, ${bytes.reduce((sum, byte) => sum + byte, 0)}`;
  return typeof value === 'string' && value.length > 2_000 ? `${value.length} characters` : value;
}
