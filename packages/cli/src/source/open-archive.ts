import { open } from 'node:fs/promises';
import path from 'node:path';
import { SkillError, type SkillDefinition, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';

/** Names of archives that can be opened. What a file is, its first bytes tell. */
export const archiveName: RegExp = /\.(?:zip|skill|tar\.gz|tgz)$/i;

const maxPackedBytes = 256 * 2 ** 20;
const limits = { unpackedBytes: 512 * 2 ** 20, files: 50_000, ratio: 200, depth: 32 };

/**
 * Opens an archive of one skill or of many. It is read into memory; nothing is written. Its skills
 * are untrusted: a file says nothing of who made it.
 *
 * @throws {SkillError} `limit-exceeded`, `invalid-path`, `invalid-skill` for an archive that is too
 *   large, hostile, damaged or without a skill
 */
export async function openArchive(file: string, label: string): Promise<SkillProvider> {
  return await openArchiveBytes(await readPacked(file), file, label);
}

/**
 * The same for an archive that was read before.
 *
 * @param below only skills below this folder. @default all
 */
export async function openArchiveBytes(packed: Uint8Array, file: string, label: string, below = ''): Promise<SkillProvider> {
  // Most sources are no archives, and need no parser of YAML before they read a skill.
  const { skillFromFiles } = await import('@repertoire/skills-core/skill-md');
  const { unpackArchive } = await import('@repertoire/skill-http/internal');
  const unpacked = await unpackArchive(packed, limits);
  const skills = new Map<string, SkillDefinition>();
  const diagnostics: SkillDiagnostic[] = [];
  for (const [folder, files] of skillFolders(unpacked.files)) {
    // A folder around everything is taken away, unless a skill lies deeper in it.
    const inside = unpacked.wrapper === undefined ? folder.slice(folder.indexOf('/') + 1) : folder;
    if (below !== '' && inside !== below && !inside.startsWith(`${below}/`)) continue;
    const directoryName = folder === '' ? (unpacked.wrapper ?? path.basename(file).replace(archiveName, '')) : path.posix.basename(folder);
    const { definition, diagnostics: found } = skillFromFiles(files, { directoryName, path: path.posix.join(folder, 'SKILL.md') });
    diagnostics.push(...found);
    if (definition === null) continue;
    const key = JSON.stringify([definition.name, definition.version ?? null]);
    if (!skills.has(key)) skills.set(key, definition);
    else diagnostics.push(duplicate(definition.name, folder));
  }
  if (skills.size === 0 && diagnostics.length === 0) {
    throw new SkillError('invalid-skill', `There is no skill in ${file}. A skill is a folder with a SKILL.md.`, { path: file });
  }
  const provider = fixedSkillProvider([...skills.values()], { label, kind: 'archive', trusted: false });
  const listing = await provider.listSkills();
  const whole = { ...listing, diagnostics: [...listing.diagnostics, ...diagnostics] };
  return {
    label,
    listSkills: async ({ signal } = {}) => {
      signal?.throwIfAborted();
      return whole;
    },
    getSkill: async (name, options) => await provider.getSkill(name, options),
    readResource: async (name, inner, options) => await provider.readResource(name, inner, options),
  };
}

async function readPacked(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > maxPackedBytes)
      throw new SkillError('limit-exceeded', `The archive ${file} has more than ${maxPackedBytes} bytes. Unpack it, and give the folder.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The files of each folder with a `SKILL.md`. A nested skill is a part of the outer one. */
function skillFolders(files: ReadonlyMap<string, Uint8Array>): Map<string, Record<string, Uint8Array>> {
  const mains = [...files.keys()].filter((file) => path.posix.basename(file).toLowerCase() === 'skill.md').map(folderOf);
  const tops = new Set(mains);
  const found = new Map<string, Record<string, Uint8Array>>();
  for (const [file, bytes] of files) {
    const owner = outermost(folderOf(file), tops);
    if (owner === null) continue;
    const own = found.get(owner) ?? (Object.create(null) as Record<string, Uint8Array>);
    own[owner === '' ? file : file.slice(owner.length + 1)] = bytes;
    found.set(owner, own);
  }
  return found;
}

function outermost(folder: string, tops: ReadonlySet<string>): string | null {
  if (tops.has('')) return '';
  const segments = folder.split('/');
  for (let length = 1; length <= segments.length; length += 1) {
    const above = segments.slice(0, length).join('/');
    if (tops.has(above)) return above;
  }
  return null;
}

function folderOf(file: string): string {
  const at = file.lastIndexOf('/');
  return at === -1 ? '' : file.slice(0, at);
}

function duplicate(name: string, folder: string): SkillDiagnostic {
  const message = `The archive holds ${JSON.stringify(name)} more than once; the one in ${folder} is left out.`;
  return { code: 'skill-duplicate', severity: 'warning', message, skill: name, path: folder };
}
