import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareSkills, mediaTypeOf, resourceEntry } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { readSkillFolder } from '../../src/node.ts';
import type { SkillFiles } from '../../src/index.ts';
import type { Skill, SkillProvider } from '@repertoire/skills-core';

/** A source over real folders, by version 1 of the contract. */
export interface FolderSource extends AsyncDisposable {
  readonly provider: SkillProvider;
  /** How many times bytes were read, by path. */
  readonly reads: Map<string, number>;
  /** Writes or removes (`null`) one file of a skill. */
  write(skill: string, path: string, content: Uint8Array | string | null): Promise<void>;
  /** Replaces all files of a skill. */
  put(skill: string, files: SkillFiles): Promise<void>;
}

/** Makes a temporary folder with one folder for each skill, and a source over it. It is trusted as the host says. */
export async function folderSource(
  skills: Readonly<Record<string, SkillFiles>>,
  { trusted = false, hide = '' } = {},
): Promise<FolderSource> {
  const root = await mkdtemp(join(tmpdir(), 'skill-trust-'));
  const reads = new Map<string, number>();

  async function write(skill: string, path: string, content: Uint8Array | string | null): Promise<void> {
    const file = join(root, skill, path);
    await mkdir(dirname(file), { recursive: true });
    await (content === null ? rm(file, { force: true }) : writeFile(file, content));
  }

  async function put(skill: string, files: SkillFiles): Promise<void> {
    await rm(join(root, skill), { recursive: true, force: true });
    for (const [path, content] of files) await write(skill, path, content);
  }

  for (const [name, files] of Object.entries(skills)) await put(name, files);

  async function read(name: string): Promise<Skill | null> {
    const bytes = await readFile(join(root, name, 'SKILL.md')).catch(() => null);
    if (bytes === null) return null;
    const { metadata, body, diagnostics } = parseSkillMd(bytes, { directoryName: name });
    if (metadata === null) return null;
    const paths = [...(await readSkillFolder(join(root, name))).keys()].filter((path) => path !== 'SKILL.md' && path !== hide);
    const resources = await Promise.all(
      paths.sort().map(async (path) => resourceEntry(path, { size: (await stat(join(root, name, path))).size })),
    );
    const origin = { kind: 'fs', label: 'folder', uri: pathToFileURL(`${join(root, name)}/`).href, trusted };
    return { ...metadata, name, version: metadata.version, body, diagnostics, origin, resources };
  }

  const provider: SkillProvider = {
    label: 'folder',
    async listSkills({ signal } = {}) {
      signal?.throwIfAborted();
      const found = (await Promise.all((await readdir(root)).map(read))).filter((skill) => skill !== null);
      const listed = found.map(({ body: _body, resources: _resources, diagnostics: _diagnostics, ...metadata }) => metadata);
      return { skills: listed.sort((a, b) => compareSkills(a, b)), diagnostics: [], complete: true };
    },
    async getSkill(name, { signal } = {}) {
      signal?.throwIfAborted();
      return await read(name);
    },
    async readResource(name, path, { maxBytes, signal } = {}) {
      signal?.throwIfAborted();
      reads.set(path, (reads.get(path) ?? 0) + 1);
      const bytes = await readFile(join(root, name, path)).catch(() => null);
      if (bytes === null) return null;
      return { path, bytes: new Uint8Array(bytes.subarray(0, maxBytes ?? bytes.length)), size: bytes.length, mediaType: mediaTypeOf(path) };
    },
  };
  return { provider, reads, write, put, [Symbol.asyncDispose]: async () => await rm(root, { recursive: true, force: true }) };
}
