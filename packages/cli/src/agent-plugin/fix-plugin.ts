import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PluginFiles } from '@repertoire/agent-plugins';
import { readPlugin } from '@repertoire/agent-plugins/internal';
import { isJsonObject, suggestSkillName } from '@repertoire/skills-core/internal';
import { replaceFile } from '../text/replace-file.ts';
import { fixServer, type JsonRecord } from './fix-server.ts';

const schema = 'https://agent-plugins.org/schemas/1.0.0/';
const known = /^https:\/\/agent-plugins\.org\/schemas\/1\.[01]\.0\/plugin\.schema\.json$/;
const maxBytes = 1_048_576;

/**
 * Corrects what can only be meant in one way: older manifests, `$schema`, spellings, servers.
 * A file is replaced as a whole; one that is no JSON is left alone.
 *
 * @returns what was corrected, in sentences
 */
export async function fixPlugin(folder: string, files: PluginFiles): Promise<readonly string[]> {
  const done: string[] = [];
  const manifest = (await readJson(folder, 'plugin.json')) ?? (await manifestOfOlder(folder, files, done));
  if (manifest === null) return done;
  const own = fixManifest(manifest.value, done);
  const mcp = await readJson(folder, 'mcp.json');
  if (mcp !== null) {
    const wanted = String(own['$schema']).replace(/plugin\.schema\.json$/, 'mcp.schema.json');
    if (mcp.value['$schema'] !== wanted) done.push(`mcp.json names the version of plugin.json: ${wanted}.`);
    const servers = mcp.value['mcpServers'];
    const entries = isJsonObject(servers) ? Object.entries(servers) : [];
    const fixed = entries.map(([name, entry]) => [name, isJsonObject(entry) ? fixServer(name, entry, own, done) : entry]);
    const { $schema: _before, ...rest } = mcp.value;
    const after = { $schema: wanted, ...rest, ...(isJsonObject(servers) && { mcpServers: Object.fromEntries(fixed) }) };
    await write(folder, 'mcp.json', mcp, after);
  }
  await write(folder, 'plugin.json', manifest, own);
  return done;
}

interface ReadFile {
  /** `null` for one that is not there yet. */
  readonly text: string | null;
  readonly value: JsonRecord;
}

/** `null` for a file that is not there, too large, a link, or no JSON object. */
async function readJson(folder: string, name: string): Promise<ReadFile | null> {
  const full = path.join(folder, name);
  const found = await lstat(full).catch(() => null);
  if (found === null || !found.isFile() || found.size > maxBytes) return null;
  const text = await readFile(full, 'utf8');
  try {
    // Clients refuse a byte order mark, which editors write and nobody sees.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isJsonObject(value) ? { text, value: { ...value } } : null;
  } catch {
    return null;
  }
}

async function manifestOfOlder(folder: string, files: PluginFiles, done: string[]): Promise<ReadFile | null> {
  if ((await lstat(path.join(folder, 'plugin.json')).catch(() => null)) !== null) return null;
  const { plugin } = await readPlugin(files);
  if (plugin === null) return null;
  const { name, version, description } = plugin.manifest;
  done.push('Wrote plugin.json from the older manifest.');
  return { text: null, value: { $schema: `${schema}plugin.schema.json`, name, version, description } };
}

function fixManifest(value: JsonRecord, done: string[]): JsonRecord {
  const fixed: JsonRecord = { $schema: '', ...value };
  if (typeof value['$schema'] !== 'string' || !known.test(value['$schema'])) {
    fixed['$schema'] = `${schema}plugin.schema.json`;
    done.push(`plugin.json names the version of the standard: ${String(fixed['$schema'])}.`);
  }
  const { name, version } = value;
  const isName = typeof name === 'string' && /^[a-z\d](?:[a-z\d.-]{0,62}[a-z\d])?$/.test(name) && !/--|\.\./.test(name);
  const suggested = typeof name === 'string' ? suggestSkillName(name) : '';
  if (!isName && suggested !== '') {
    fixed['name'] = suggested;
    done.push(`The name is ${JSON.stringify(suggested)}, and was ${JSON.stringify(name)}.`);
  }
  const parts = typeof version === 'string' ? /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version) : null;
  const semantic = parts === null ? version : `${parts[1]}.${parts[2] ?? 0}.${parts[3] ?? 0}`;
  if (semantic !== version) {
    fixed['version'] = semantic;
    done.push(`The version is ${JSON.stringify(semantic)}, and was ${JSON.stringify(version)}.`);
  }
  return fixed;
}

async function write(folder: string, name: string, { text, value: before }: ReadFile, value: JsonRecord): Promise<void> {
  if (text !== null && JSON.stringify(before) === JSON.stringify(value) && !text.startsWith('\uFEFF')) return;
  // As the author indents; a new file as most do.
  const indent = /^[{[]\r?\n([ \t]{1,8})/.exec((text ?? '').replace(/^\uFEFF/, ''))?.[1] ?? 2;
  await replaceFile(path.join(folder, name), `${JSON.stringify(value, null, indent)}\n`);
}
