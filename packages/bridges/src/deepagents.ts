// Anything exported here is public API.
import { errorForModel, sourceFailed } from '@repertoire/skills-core/internal';
import { type SkillResource, decodeText } from '@repertoire/skills-core/provider';
import type { BridgeArguments, BridgeSource } from './view/bridge-options.ts';
import { skillTree, type SkillTree } from './view/skill-tree.ts';
import { skillView } from './view/skill-view.ts';
import { globMatcher } from './deepagents/glob-matcher.ts';

/** A file or a folder; the path of a folder ends with `/`. */
interface DeepAgentsFile {
  path: string;
  is_dir?: boolean;
  size?: number;
}

/** A line that contains the text. */
interface DeepAgentsMatch {
  path: string;
  line: number;
  text: string;
}

/** What protocol 2 answers about a file that is read. */
interface Read {
  error?: string;
  content?: string | Uint8Array;
  mimeType?: string;
  totalLines?: number;
  startLine?: number;
  endLine?: number;
  nextOffset?: number;
}

/** A backend of `deepagents`, protocol 2. */
export interface DeepAgentsBackend {
  ls(path: string): Promise<{ error?: string; files?: DeepAgentsFile[] }>;
  read(filePath: string, offset?: number, limit?: number): Promise<Read>;
  readRaw(filePath: string): Promise<{
    error?: string;
    data?: { content: string | Uint8Array; mimeType: string; created_at: string; modified_at: string };
  }>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<{ error?: string; matches?: DeepAgentsMatch[]; truncated?: boolean }>;
  glob(pattern: string, path?: string): Promise<{ error?: string; files?: DeepAgentsFile[]; truncated?: boolean }>;
  write(filePath: string, content: string): Promise<{ error: string }>;
  edit(filePath: string, oldString: string, newString: string, replaceAll?: boolean): Promise<{ error: string }>;
  uploadFiles(files: [string, Uint8Array][]): Promise<{ path: string; error: 'permission_denied' }[]>;
  downloadFiles(paths: string[]): Promise<{ path: string; content: Uint8Array | null; error: 'file_not_found' | null }[]>;
}

const readOnly = 'Skills are read-only here. Write somewhere else.';

/** Files that one search looks into, and the lines that it answers at most. */
const maxSearchedFiles = 2_000;
const maxMatches = 1_000;
const defaultLines = 500;
/** No skill changes its times: Deep Agents only shows them. */
const unknownTime = new Date(0).toISOString();

/**
 * Offers skills as a read-only backend of Deep Agents (protocol 2): `/`, with a folder for each
 * skill. Alone, with `skills: ['/']`; or in a `CompositeBackend` beside the agent's own files,
 * `{ '/skills/': deepAgentsBackend(skillset) }` with `skills: ['/skills/']`. Failures are values,
 * as the protocol wants them.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist
 * @example
 * ```ts
 * import { deepAgentsBackend } from '@repertoire/bridges/deepagents';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // createDeepAgent({ …agentOptions(skillset) }) of 'deepagents'
 * export const agentOptions = (skillset: Skillset) => ({ backend: deepAgentsBackend(skillset), skills: ['/'] });
 * ```
 */
export function deepAgentsBackend<Context = undefined>(
  source: BridgeSource<Context>,
  ...[options = {}]: BridgeArguments<Context>
): DeepAgentsBackend {
  const tree = skillTree(skillView('deepAgentsBackend', 'Deep Agents', source, options));

  return {
    ls: (path) =>
      asValue(async () => {
        const entries = await tree.list(path);
        return entries === null ? { error: notFound(path) } : { files: entries.map((entry) => fileOf(folderOf(path), entry)) };
      }),
    read: (path, offset = 0, limit = defaultLines) =>
      asValue(async () => {
        const file = await tree.read(path);
        return file === null ? { error: notFound(path) } : pageOf(file, Math.max(0, offset), Math.max(1, limit));
      }),
    readRaw: (path) =>
      asValue(async () => {
        const file = await tree.read(path);
        if (file === null) return { error: notFound(path) };
        const content = decodeText(file.bytes) ?? file.bytes;
        return { data: { content, mimeType: file.mediaType, created_at: unknownTime, modified_at: unknownTime } };
      }),
    grep: (pattern, path, glob, maxCount) =>
      asValue(() => searched(tree, pattern, path ?? '/', glob ?? null, Math.min(maxCount ?? maxMatches, maxMatches))),
    glob: (pattern, path = '/') =>
      asValue(async () => {
        const folder = folderOf(path);
        const { files, truncated } = await filesBelow(tree, path);
        const isWanted = globMatcher(pattern);
        return { files: files.filter((file) => isWanted(file.path.slice(folder.length))), truncated };
      }),
    write: async () => ({ error: readOnly }),
    edit: async () => ({ error: readOnly }),
    // Optional by the protocol, but a `CompositeBackend` reads through them.
    uploadFiles: async (files) => files.map(([path]) => ({ path, error: 'permission_denied' })),
    downloadFiles: async (paths) =>
      await Promise.all(
        paths.map(async (path) => {
          const content = (await tree.read(path))?.bytes ?? null;
          return { path, content, error: content === null ? ('file_not_found' as const) : null };
        }),
      ),
  };
}

async function asValue<Answer extends object>(work: () => Promise<Answer>): Promise<Answer | { error: string }> {
  try {
    return await work();
  } catch (thrown) {
    return { error: errorForModel(sourceFailed(thrown).message) };
  }
}

async function searched(
  tree: SkillTree,
  text: string,
  path: string,
  glob: string | null,
  most: number,
): Promise<{ matches: DeepAgentsMatch[]; truncated: boolean }> {
  const { files, truncated } = await filesBelow(tree, path);
  const isWanted = glob === null ? () => true : globMatcher(glob);
  const matches: DeepAgentsMatch[] = [];
  for (const { path: found } of files.filter((file) => isWanted(file.path.slice(1)))) {
    const lines = decodeText((await tree.read(found))?.bytes ?? new Uint8Array())?.split('\n') ?? [];
    for (const [index, line] of lines.entries()) {
      if (!line.includes(text)) continue;
      if (matches.length >= most) return { matches, truncated: true };
      matches.push({ path: found, line: index + 1, text: line });
    }
  }
  return { matches, truncated };
}

/** The files below a folder, depth first, at most {@link maxSearchedFiles}. */
async function filesBelow(tree: SkillTree, path: string): Promise<{ files: DeepAgentsFile[]; truncated: boolean }> {
  const files: DeepAgentsFile[] = [];
  const folders = [folderOf(path)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of (await tree.list(folder)) ?? []) {
      const file = fileOf(folder, entry);
      if (entry.isFolder) folders.push(file.path);
      else if (files.length < maxSearchedFiles) files.push(file);
      else return { files, truncated: true };
    }
  }
  return { files, truncated: false };
}

function pageOf({ bytes, mediaType }: SkillResource, offset: number, limit: number): Read {
  const text = decodeText(bytes);
  if (text === null) return { content: bytes, mimeType: mediaType };
  const lines = text.split('\n');
  const totalLines = text.endsWith('\n') ? lines.length - 1 : lines.length;
  if (offset === 0 && totalLines <= limit) return { content: text, mimeType: mediaType, totalLines, startLine: 1, endLine: totalLines };
  if (offset >= totalLines) return { error: `Line offset ${offset} exceeds the file, which has ${totalLines} lines.` };
  const shown = lines.slice(offset, Math.min(offset + limit, totalLines));
  const endLine = offset + shown.length;
  const rest = endLine < totalLines ? { nextOffset: endLine } : {};
  return { content: shown.join('\n'), mimeType: mediaType, totalLines, startLine: offset + 1, endLine, ...rest };
}

function fileOf(folder: string, { name, isFolder, size }: { name: string; isFolder: boolean; size?: number | undefined }): DeepAgentsFile {
  return isFolder
    ? { path: `${folder}${name}/`, is_dir: true }
    : { path: `${folder}${name}`, is_dir: false, ...(size !== undefined && { size }) };
}

/** A path of a folder with both slashes. */
function folderOf(path: string): string {
  const inner = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return inner.length === 0 ? '/' : `/${inner.join('/')}/`;
}

function notFound(path: string): string {
  return `File ${JSON.stringify(path)} not found`;
}
