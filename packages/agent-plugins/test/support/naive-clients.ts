import path from 'node:path';
import type { PluginClient, PluginClientAnswer, PluginFixture } from '@repertoire/skills-testkit/plugins';
import { ownClient } from './own-client.ts';

// eslint-disable-next-line typescript/no-explicit-any -- cases make JSON wrong in every way
type Json = Record<string, any>;
type Before = (fixture: Record<string, PluginFixture[string]>) => void;
type After = (answer: PluginClientAnswer, fixture: PluginFixture) => PluginClientAnswer;

/** A client that breaks one rule, and the case that has to notice. */
export interface NaiveClient {
  readonly breaks: string;
  readonly caughtBy: string;
  readonly client: PluginClient;
}

function naive(breaks: string, caughtBy: string, before: Before, after: After = (answer) => answer): NaiveClient {
  return {
    breaks,
    caughtBy,
    client: async (fixture) => {
      const copy = { ...fixture };
      before(copy);
      return after(await ownClient(copy), fixture);
    },
  };
}

/** Changes a JSON file before it is read, if it is one. */
const json =
  (file: string, change: (value: Json) => void): Before =>
  (fixture) => {
    const text = fixture[`plugin/${file}`];
    if (typeof text !== 'string') return;
    try {
      const value = JSON.parse(text) as Json;
      change(value);
      fixture[`plugin/${file}`] = JSON.stringify(value);
    } catch {
      // What is no JSON stays as it is.
    }
  };
const manifest = (change: (value: Json) => void): Before => json('plugin.json', change);
const odd = (change: (server: Json) => void): Before => json('mcp.json', ({ mcpServers }) => mcpServers?.odd && change(mcpServers.odd));
const renamed = (fields: Json, nameOf: (name: string) => string): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [nameOf(name), value]));
const untouched: Before = () => {};
const stdio =
  (change: (server: Json, raw: Json) => Json): After =>
  (answer, fixture) => {
    const raw = typeof fixture['plugin/mcp.json'] === 'string' ? (JSON.parse(fixture['plugin/mcp.json']) as Json) : {};
    const servers = Object.entries(answer.servers).map(([name, server]) => [
      name,
      server.type === 'stdio' ? change({ ...server }, raw['mcpServers'][name]) : server,
    ]);
    return { ...answer, servers: Object.fromEntries(servers) as PluginClientAnswer['servers'] };
  };
const refusedIf =
  (when: (answer: PluginClientAnswer, raw: Json) => boolean): After =>
  (answer, fixture) => {
    const text = fixture['plugin/plugin.json'];
    const raw = answer.loaded && typeof text === 'string' ? (JSON.parse(text) as Json) : {};
    return answer.loaded && when(answer, raw) ? { loaded: false, skills: [], servers: {}, reported: answer.reported } : answer;
  };
const moreSkills =
  (pattern: RegExp): After =>
  (answer, fixture) => {
    const found = Object.keys(fixture).flatMap((file) => pattern.exec(file)?.[1] ?? []);
    return answer.loaded ? { ...answer, skills: [...new Set([...answer.skills, ...found])] } : answer;
  };
const told = ({ reported }: PluginClientAnswer, code: string): boolean => reported.some((text) => text.startsWith(code));
const followLinks: Before = (fixture) => {
  for (const [file, content] of Object.entries(fixture)) {
    if (typeof content === 'string' || content instanceof Uint8Array) continue;
    const target = path.posix.join(path.posix.dirname(file), content.link);
    delete fixture[file];
    for (const [other, inner] of Object.entries(fixture)) {
      if (other === target || other.startsWith(`${target}/`)) fixture[file + other.slice(target.length)] = inner;
    }
  }
};

/** One client for each way in which clients really go wrong. */
export const naiveClients: readonly NaiveClient[] = [
  naive(
    'does not look at $schema',
    'schema/unknown',
    manifest((value) => (value.$schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json')),
  ),
  naive(
    'refuses unknown fields',
    'manifest/unknown-field',
    untouched,
    refusedIf((answer) => told(answer, 'plugin-field-unknown')),
  ),
  naive('says nothing', 'manifest/unknown-field', untouched, (answer) => ({ ...answer, reported: [] })),
  naive(
    'takes any name',
    'name/characters',
    manifest((value) => typeof value.name === 'string' && (value.name = value.name.toLowerCase().replaceAll(/[^a-z0-9]/g, 'x'))),
  ),
  naive(
    'lowers names',
    'name/capitals',
    manifest((value) => typeof value.name === 'string' && (value.name = value.name.toLowerCase())),
  ),
  naive(
    'names a plugin by its folder',
    'name/missing',
    manifest((value) => (value.name ??= 'plugin')),
  ),
  naive(
    'takes any field of an author',
    'author/field',
    manifest((value) => delete value.author?.phone),
  ),
  naive(
    'drops fields of a wrong type',
    'field/type',
    manifest((value) => typeof value.version !== 'string' && delete value.version),
  ),
  naive(
    'demands SemVer',
    'field/values',
    untouched,
    refusedIf((_, raw) => raw.version !== undefined && !/^\d+\.\d+\.\d+/.test(raw.version)),
  ),
  naive(
    'demands URLs',
    'field/values',
    untouched,
    refusedIf((_, raw) => raw.homepage !== undefined && !URL.canParse(raw.homepage)),
  ),
  naive(
    'looks into other namespaces',
    'extensions/unknown',
    untouched,
    refusedIf((_, raw) => Object.values(raw.extensions ?? {}).some((value) => typeof value === 'number')),
  ),
  naive(
    'refuses for extensions',
    'extensions/type',
    untouched,
    refusedIf((answer) => told(answer, 'plugin-extensions')),
  ),
  naive('lets the manifest move skills', 'manifest/unknown-places', untouched, (answer, fixture) =>
    String(fixture['plugin/plugin.json']).includes('"skills"') ? { ...answer, skills: [] } : answer,
  ),
  naive('searches deeper', 'skills/depth', untouched, moreSkills(/^plugin\/skills\/(?:[^/]+\/)+([^/]+)\/SKILL\.md$/)),
  naive('takes skill.md', 'skills/file-name', untouched, moreSkills(/^plugin\/skills\/([^/]+)\/skill\.md$/)),
  naive('takes a SKILL.md in the root', 'skills/top', untouched, moreSkills(/^(plugin)\/SKILL\.md$/)),
  naive('takes skills that do not conform', 'skills/name-mismatch', untouched, moreSkills(/^plugin\/skills\/([^/]+)\/SKILL\.md$/)),
  naive('follows links anywhere', 'skills/file-outside', followLinks),
  naive('follows no link', 'manifest/link-inside', (fixture) => {
    for (const [file, content] of Object.entries(fixture)) if (typeof content === 'object' && 'link' in content) delete fixture[file];
  }),
  naive(
    'refuses a plugin for one skill',
    'skills/invalid',
    untouched,
    refusedIf((answer) => told(answer, 'plugin-skill-')),
  ),
  naive('drops all skills for one', 'skills/file-outside', untouched, (answer) =>
    told(answer, 'plugin-skill-') ? { ...answer, skills: [] } : answer,
  ),
  naive('drops all servers for one', 'server/type', untouched, (answer) =>
    told(answer, 'plugin-server-') ? { ...answer, servers: {} } : answer,
  ),
  naive(
    'refuses a plugin for mcp.json',
    'mcp/json',
    untouched,
    refusedIf((answer) => told(answer, 'plugin-mcp-')),
  ),
  naive('takes inline servers', 'mcp/inline', (fixture) => {
    const value = JSON.parse(
      String(fixture['plugin/plugin.json']).startsWith('{"') ? String(fixture['plugin/plugin.json']).replace(/,$/, '') : '{}',
    ) as Json;
    if (value['mcpServers']?.odd !== undefined)
      json('mcp.json', ({ mcpServers }) => Object.assign(mcpServers, value['mcpServers']))(fixture);
  }),
  naive(
    'does not compare versions',
    'mcp/schema-other',
    json('mcp.json', (value) => value.$schema && (value.$schema = 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json')),
  ),
  naive(
    'guesses types',
    'server/no-type',
    odd((server) => (server.type ??= 'stdio')),
  ),
  naive(
    'ignores unknown fields of servers',
    'server/unknown-field',
    odd((server) => delete server.disabled),
  ),
  naive(
    'splits commands',
    'command/shell',
    odd((server) => typeof server.command === 'string' && (server.command = server.command.split(' ')[0])),
  ),
  naive(
    'expands commands',
    'command/placeholder',
    odd((server) => typeof server.command === 'string' && (server.command = server.command.replace('${PLUGIN_ROOT}', '.'))),
  ),
  naive(
    'takes absolute commands',
    'command/absolute',
    odd((server) => typeof server.command === 'string' && (server.command = server.command.replace(/^\/.*\//, ''))),
  ),
  naive(
    'starts servers where it runs',
    'cwd/default',
    untouched,
    stdio((server, raw) => ({ ...server, cwd: raw.cwd === undefined ? process.cwd() : server.cwd })),
  ),
  naive(
    'takes any cwd',
    'cwd/form',
    odd((server) => delete server.cwd),
  ),
  naive(
    'lets env set PLUGIN_ROOT',
    'env/root',
    odd((server) => delete server.env?.PLUGIN_ROOT),
  ),
  naive(
    'expands nothing',
    'expand/args',
    untouched,
    stdio((server, raw) => ({ ...server, args: raw.args ?? [] })),
  ),
  naive(
    'expands all variables',
    'expand/others',
    untouched,
    stdio((server) => ({ ...server, args: server.args.map((text: string) => text.replace('${HOME}', '/srv/ann')) })),
  ),
  naive(
    'expands names of variables',
    'expand/env-keys',
    odd((server) => server.env && (server.env = renamed(server.env, (name) => name.replace('${PLUGIN_ROOT}', 'x')))),
  ),
  naive(
    'expands the first occurrence',
    'expand/args',
    untouched,
    stdio((server, raw) => ({
      ...server,
      args: (raw.args ?? []).map((text: string) => text.replace('${PLUGIN_ROOT}', server.env.PLUGIN_ROOT)),
    })),
  ),
  naive(
    'has no PLUGIN_DATA',
    'env/variables',
    untouched,
    stdio((server) => ({ ...server, env: { PLUGIN_ROOT: server.env.PLUGIN_ROOT } })),
  ),
  naive(
    'has no folder in PLUGIN_ROOT',
    'env/variables',
    untouched,
    stdio((server) => ({ ...server, env: { ...server.env, PLUGIN_ROOT: '' } })),
  ),
  naive(
    'takes http anywhere',
    'remote/http',
    odd((server) => typeof server.url === 'string' && (server.url = server.url.replace('http:', 'https:'))),
  ),
  naive(
    'strips users',
    'remote/user',
    odd((server) => typeof server.url === 'string' && (server.url = server.url.replace('ann@', ''))),
  ),
  naive(
    'takes headers twice',
    'headers/twice',
    odd((server) => server.headers?.['x-tenant'] && delete server.headers['x-tenant']),
  ),
  naive(
    'repairs names of headers',
    'headers/name',
    odd((server) => server.headers && (server.headers = renamed(server.headers, (name) => name.replaceAll(' ', '-')))),
  ),
  naive(
    'forwards headers',
    'headers/redirect',
    untouched,
    remote((server, target, own) => server.headersFor(target === server.url ? target : server.url, own)),
  ),
  naive(
    'lets headers of plugins win',
    'headers/own',
    untouched,
    remote((server, target) => server.headersFor(target, {})),
  ),
  naive(
    'expands headers',
    'headers/literal',
    odd((server) => server.headers?.['X-Root'] && (server.headers['X-Root'] = '/srv')),
  ),
];

type Remote = Extract<PluginClientAnswer['servers'][string], { readonly url: string }>;

function remote(
  headersFor: (server: Remote, target: string, own: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): After {
  return (answer) => ({
    ...answer,
    servers: Object.fromEntries(
      Object.entries(answer.servers).map(([name, server]) => [
        name,
        server.type === 'stdio'
          ? server
          : { ...server, headersFor: (target: string, own: Readonly<Record<string, string>>) => headersFor(server, target, own) },
      ]),
    ),
  });
}
