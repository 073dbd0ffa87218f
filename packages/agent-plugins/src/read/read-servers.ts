import type { SkillDiagnostic } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import type { PluginCallOptions, PluginFiles } from '../files/plugin-files.ts';
import { versionOfSchema, type PluginManifest } from './plugin-manifest.ts';
import { insidePath } from './plugin-path.ts';
import { deviation, type PluginRuleCode } from './plugin-rules.ts';
import type { PluginHttpServer, PluginServer, PluginStdioServer } from './plugin-server.ts';
import type { ReadJson } from './read-json.ts';
import { headersProblem, urlProblem } from './remote-server-rules.ts';

/** The servers of a plugin by their names, and what was skipped. */
export interface ReadServers {
  readonly servers: ReadonlyMap<string, PluginServer>;
  readonly diagnostics: readonly SkillDiagnostic[];
}

class Invalid extends Error {
  readonly code: PluginRuleCode;

  constructor(code: PluginRuleCode, message: string) {
    super(message);
    this.code = code;
  }
}

const path = 'mcp.json';
const maxServers = 1_000;

/** Reads `mcp.json` (section 7.2). A bad server is skipped; a bad file turns MCP off. */
export async function readServers(
  files: PluginFiles,
  manifest: PluginManifest,
  json: ReadJson | null,
  options: PluginCallOptions,
): Promise<ReadServers> {
  const servers = new Map<string, PluginServer>();
  const off = (code: PluginRuleCode, why: string, fix: string): ReadServers => ({
    servers: new Map(),
    diagnostics: [deviation(code, 'error', `MCP is off for plugin ${JSON.stringify(manifest.name)}: ${why}`, { path, fix })],
  });
  if (json === null) return { servers, diagnostics: [] };
  if (json.state === 'missing') return off('plugin-mcp-place', 'mcp.json is no regular file.', 'Put the file itself there.');
  if (json.state === 'outside') return off('plugin-mcp-place', 'mcp.json leads out of the plugin.', 'Put the file itself there.');
  if (json.state === 'invalid') return off('plugin-mcp-json', `mcp.json cannot be read: ${json.why}.`, 'Write a JSON object.');
  if (!isJsonObject(json.value)) return off('plugin-mcp-json', 'mcp.json is no object.', 'Write an object with $schema and mcpServers.');
  const { value } = json;
  const unknown = Object.keys(value).find((field) => field !== '$schema' && field !== 'mcpServers');
  if (unknown !== undefined) return off('plugin-mcp-json', `mcp.json has the field ${JSON.stringify(unknown)}.`, 'Remove it.');
  const schema = fieldOf(value, '$schema');
  if (versionOfSchema(schema, 'mcp') === null || versionOfSchema(schema, 'mcp') !== manifest.standard) {
    const shown = schema === undefined ? 'missing' : JSON.stringify(schema);
    return off(
      'plugin-mcp-schema',
      `$schema of mcp.json is ${shown}, and plugin.json says ${manifest.standard}.`,
      'Name the same version in both.',
    );
  }
  const entries = fieldOf(value, 'mcpServers');
  if (!isJsonObject(entries)) return off('plugin-mcp-json', 'mcpServers is no object.', 'Write an object of servers by name.');
  const named = Object.entries(entries);
  if (named.length > maxServers) return off('plugin-mcp-json', `it names more than ${maxServers} servers.`, 'Name fewer.');

  const diagnostics: SkillDiagnostic[] = [];
  for (const [name, entry] of named) {
    try {
      servers.set(name, await readServer(entry, files, options));
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const message = `Server ${JSON.stringify(name)} of plugin ${JSON.stringify(manifest.name)} is skipped: ${error.message}`;
      diagnostics.push(deviation(error.code, 'error', message, { path, fix: 'Correct its entry in mcp.json.' }));
    }
  }
  return { servers, diagnostics };
}

async function readServer(entry: unknown, files: PluginFiles, options: PluginCallOptions): Promise<PluginServer> {
  if (!isJsonObject(entry)) throw new Invalid('plugin-server-invalid', 'it is no object.');
  const type = fieldOf(entry, 'type');
  if (type === 'stdio') return await readStdio(entry, files, options);
  if (type === 'streamable-http' || type === 'sse') return readRemote(entry, type);
  throw new Invalid('plugin-server-invalid', `its type is ${type === undefined ? 'missing' : JSON.stringify(type)}.`);
}

async function readStdio(entry: JsonObject, files: PluginFiles, options: PluginCallOptions): Promise<PluginStdioServer> {
  assertFields(entry, ['type', 'command', 'args', 'env', 'cwd']);
  const command = textField(entry, 'command');
  if (command.startsWith('./')) {
    const inside = insidePath(command);
    if (inside === null || inside === '')
      throw new Invalid('plugin-server-command', `its command ${JSON.stringify(command)} leaves the plugin.`);
    // A missing command fails when the server is started. One outside of the plugin is refused
    // here.
    if ((await files.read(inside, { maxBytes: 1, ...options })) === 'outside')
      throw new Invalid('plugin-server-command', `its command ${JSON.stringify(command)} leads out of the plugin.`);
  } else if (!/^[^\s/\\:\0]+$/.test(command) || /^\.+$/.test(command)) {
    throw new Invalid(
      'plugin-server-command',
      `its command is ${JSON.stringify(command)}, which is neither a bare name nor a path that begins with "./".`,
    );
  }
  const args = fieldOf(entry, 'args') === undefined ? [] : fieldOf(entry, 'args');
  if (!Array.isArray(args) || !args.every((one): one is string => typeof one === 'string' && !one.includes('\0')))
    throw new Invalid('plugin-server-invalid', 'its args are no list of texts.');
  const env = textsField(entry, 'env');
  for (const [name, value] of Object.entries(env)) {
    if (name === 'PLUGIN_ROOT' || name === 'PLUGIN_DATA')
      throw new Invalid('plugin-server-env', `its env names ${name}, which the client sets.`);
    if (name === '' || /[=\0]/.test(name) || value.includes('\0'))
      throw new Invalid('plugin-server-invalid', 'its env has a name or value that no process can get.');
  }
  const cwd = fieldOf(entry, 'cwd');
  if (cwd === undefined) return { type: 'stdio', command, args, env };
  if (typeof cwd !== 'string') throw new Invalid('plugin-server-cwd', 'its cwd is no text.');
  const place = placeOfCwd(cwd);
  if (place === null) throw new Invalid('plugin-server-cwd', `its cwd is ${JSON.stringify(cwd)}.`);
  if (place.in === 'root' && (await files.list(place.path, options)) === 'outside')
    throw new Invalid('plugin-server-cwd', `its cwd ${JSON.stringify(cwd)} leads out of the plugin.`);
  return { type: 'stdio', command, args, env, cwd };
}

/** Whether a `cwd` is in the plugin or its data; `null` if it climbs out or is malformed. */
export function placeOfCwd(cwd: string): { readonly in: 'root' | 'data'; readonly path: string } | null {
  const match = /^\$\{PLUGIN_(ROOT|DATA)\}(?:\/|$)/.exec(cwd);
  const inside = insidePath(match === null ? cwd : `./${cwd.slice(match[0].length)}`);
  return inside === null ? null : { in: match?.[1] === 'DATA' ? 'data' : 'root', path: inside };
}

function readRemote(entry: JsonObject, type: PluginHttpServer['type']): PluginHttpServer {
  assertFields(entry, ['type', 'url', 'headers']);
  const url = textField(entry, 'url');
  const wrongUrl = urlProblem(url);
  if (wrongUrl !== null) throw new Invalid('plugin-server-url', `its url ${wrongUrl}.`);
  const headers = textsField(entry, 'headers');
  const wrongHeaders = headersProblem(headers);
  if (wrongHeaders !== null) throw new Invalid('plugin-server-headers', `its headers ${wrongHeaders}.`);
  return { type, url, headers };
}

function assertFields(entry: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(entry).find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw new Invalid('plugin-server-invalid', `it has the field ${JSON.stringify(unknown)}, which its type does not have.`);
}

function textField(entry: JsonObject, field: string): string {
  const text = fieldOf(entry, field);
  if (typeof text !== 'string' || text === '')
    throw new Invalid('plugin-server-invalid', `its ${field} is ${text === undefined ? 'missing' : 'no text'}.`);
  return text;
}

function textsField(entry: JsonObject, field: string): Readonly<Record<string, string>> {
  const texts = fieldOf(entry, field) === undefined ? {} : fieldOf(entry, field);
  if (!isJsonObject(texts) || !Object.values(texts).every((text) => typeof text === 'string'))
    throw new Invalid('plugin-server-invalid', `its ${field} is no object of texts.`);
  return texts as Readonly<Record<string, string>>;
}
