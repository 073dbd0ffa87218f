import { createHash } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { parseSkillFrontmatter } from '@repertoire/skills-core/skill-md';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import { groupBySkillDirectory, type SkillLibraryFiles } from '@repertoire/skills-testkit';
import { parse } from 'yaml';
import * as z from 'zod';

/** What a test may change between calls. */
export interface ServedLibrary {
  files: SkillLibraryFiles;
  /** What was read, as the conformance suite names it. */
  readonly reads: string[];
  /** Entries in one page. @default all */
  pageSize?: number;
  /** Whether every folder with a SKILL.md is a skill, at any depth, and what lies in it belongs to the skills around it too. @default those at the top */
  deep?: boolean;
  /** Changes each entry before it is sent. */
  entry?: (entry: SkillEntry) => unknown;
  /** Changes what is sent of a file. */
  bytes?: (uri: string, bytes: Uint8Array) => Uint8Array;
}

export interface SkillEntry {
  uri: string;
  frontmatter: unknown;
  resources: 'dynamic' | { uri: string; digest: string; size: number }[];
}

export function library(files: SkillLibraryFiles): ServedLibrary {
  return { files, reads: [] };
}

const cacheFields = { ttlMs: 0, cacheScope: 'private' as const };

/**
 * A server of another party: made with the official SDK, by hand, of files as they lie. It lists every skill, broken ones too, which no validator of ours or of the SDK has
 * seen.
 */
export function skillServer(served: ServedLibrary): McpServer {
  const mcp = new McpServer(
    { name: 'third-party', version: '1.0.0' },
    { capabilities: { resources: { listChanged: true }, extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } } },
  );
  const { server } = mcp;
  server.setRequestHandler('skills/list', { params: z.looseObject({ cursor: z.string().optional() }) }, ({ cursor }) => {
    const entries = entriesOf(served);
    const start = Number(cursor ?? 0);
    const end = start + (served.pageSize ?? entries.length);
    const skills = entries.slice(start, end).map((entry) => served.entry?.(entry) ?? entry);
    return { skills, ...(end < entries.length && { nextCursor: String(end) }), ...cacheFields };
  });
  server.setRequestHandler('skills/get', { params: z.looseObject({ uri: z.string() }) }, ({ uri }) => {
    const entry = entriesOf(served).find((candidate) => candidate.uri === uri);
    if (entry === undefined) throw Object.assign(new Error('No such skill.'), { code: -32602 });
    return { skill: served.entry?.(entry) ?? entry, ...cacheFields };
  });
  server.setRequestHandler('resources/list', () => ({ resources: [], ...cacheFields }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const path = decodeURIComponent(uri.slice('skill://'.length));
    const content = Object.hasOwn(served.files, path) ? served.files[path] : undefined;
    if (content === undefined) throw Object.assign(new Error('No such resource.'), { code: -32602 });
    served.reads.push(path.endsWith('/SKILL.md') ? `${path}#body` : path);
    const bytes = served.bytes?.(uri, bytesOf(content)) ?? bytesOf(content);
    return { contents: [contentOf(uri, bytes)], ...cacheFields };
  });
  server.setRequestHandler('resources/directory/read', { params: z.looseObject({ uri: z.string() }) }, ({ uri }) => {
    const folder = `${decodeURIComponent(uri.slice('skill://'.length))}/`;
    const children = new Map<string, object>();
    for (const path of Object.keys(served.files).filter((candidate) => candidate.startsWith(folder))) {
      const [name = '', ...rest] = path.slice(folder.length).split('/');
      children.set(name, { uri: `${uri}/${encodeURIComponent(name)}`, name, ...(rest.length > 0 && { mimeType: 'inode/directory' }) });
    }
    return { resources: [...children.values()], ...cacheFields };
  });
  return mcp;
}

/** Text where it loses nothing by it, else base64: what servers do. */
function contentOf(uri: string, bytes: Uint8Array): { uri: string; text: string } | { uri: string; blob: string } {
  try {
    return { uri, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { uri, blob: Buffer.from(bytes).toString('base64') };
  }
}

function entriesOf({ files, deep }: ServedLibrary): SkillEntry[] {
  return [...(deep === true ? everyFolder(files) : groupBySkillDirectory(files))].map(([directory, group]) => {
    const root = `skill://${directory.split('/').map(encodeURIComponent).join('/')}/`;
    const resources = Object.entries(group).map(([path, content]) => ({
      uri: root + path.split('/').map(encodeURIComponent).join('/'),
      digest: `sha256:${createHash('sha256').update(bytesOf(content)).digest('hex')}`,
      size: bytesOf(content).length,
    }));
    return { uri: `${root}SKILL.md`, frontmatter: frontmatterOf(bytesOf(group['SKILL.md'] ?? '')), resources };
  });
}

function everyFolder(files: SkillLibraryFiles): [string, SkillLibraryFiles][] {
  const folders = Object.keys(files).flatMap((path) => (path.endsWith('/SKILL.md') ? [path.slice(0, -'SKILL.md'.length)] : []));
  return folders.map((folder) => {
    const own = Object.entries(files).filter(([path]) => path.startsWith(folder));
    return [folder.slice(0, -1), Object.fromEntries(own.map(([path, content]) => [path.slice(folder.length), content]))];
  });
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function frontmatterOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const scan = scanFrontmatter(text);
  if (scan.status !== 'complete') return {};
  try {
    return parse(text.slice(scan.yamlStart, scan.yamlEnd), { schema: 'core', logLevel: 'silent' });
  } catch {
    return parseSkillFrontmatter(text).frontmatter;
  }
}
