import { manifest, mcp, plugin, schemaOf, withServer } from './fixture-parts.ts';
import type { PluginFixture } from './plugin-client.ts';
import { must, type PluginClientCase, type PluginExpectation } from './plugin-client-case.ts';

const off = { loaded: true, skills: ['pay'], servers: [] };
const skipped = { loaded: true, skills: ['pay'], servers: ['good'] };
const both = { loaded: true, skills: ['pay'], servers: ['good', 'odd'] };
const remote = { type: 'streamable-http', url: 'https://pay.example.com/mcp' };

function file(id: string, section: string, sentence: string, text: PluginFixture[string], files: PluginFixture = {}): PluginClientCase {
  return must(id, section, sentence, plugin({ 'plugin/mcp.json': text, ...files }), off);
}

function skips(id: string, section: string, sentence: string, odd: unknown, files: PluginFixture = {}): PluginClientCase {
  return must(id, section, sentence, withServer(odd, files), skipped);
}

/** `more` of what the client has to answer, besides that it takes the server. */
function takes(id: string, section: string, sentence: string, odd: unknown, more: More = {}, files: PluginFixture = {}): PluginClientCase {
  return must(id, section, sentence, withServer(odd, files), { ...both, ...more });
}

/** How the server is started. */
function starts(id: string, section: string, sentence: string, odd: unknown, launch: Launch, files: PluginFixture = {}): PluginClientCase {
  return takes(id, section, sentence, odd, { launch: { odd: launch } }, files);
}

type More = Pick<PluginExpectation, 'launch' | 'headers'>;
type Launch = NonNullable<PluginExpectation['launch']>[string];

const stdio = (fields: Readonly<Record<string, unknown>>): object => ({ type: 'stdio', command: 'node', ...fields });

/** Cases about `mcp.json`, what servers are started with, and what is sent to them. */
export const serverCases: readonly PluginClientCase[] = [
  file('mcp/json', '7.2.2', 'switches MCP off if mcp.json is no JSON, and goes on with skills', '{'),
  file('mcp/object', '7.2.1', 'switches MCP off if mcp.json is a list', '[]'),
  file('mcp/unknown-field', '7.2.1', 'switches MCP off if mcp.json has another field', mcp({ good: stdio({}) }, { version: 1 })),
  file('mcp/schema-missing', '7.2.2', 'switches MCP off without $schema', JSON.stringify({ mcpServers: { good: stdio({}) } })),
  file(
    'mcp/schema-unknown',
    '7.2.2',
    'switches MCP off for a version that it does not know',
    mcp({ good: stdio({}) }, { $schema: schemaOf('mcp').replace('1.0.0', '9.0.0') }),
  ),
  file(
    'mcp/schema-other',
    '10.1',
    'switches MCP off if its version is not that of plugin.json',
    mcp({ good: stdio({}) }, { $schema: schemaOf('mcp').replace('1.0.0', '1.1.0') }),
  ),
  file('mcp/servers-type', '7.2.1', 'switches MCP off if mcpServers is a list', mcp([])),
  file(
    'mcp/outside',
    '4.1',
    'switches MCP off if mcp.json leads out of the plugin',
    { link: '../outside/mcp.json' },
    { 'outside/mcp.json': mcp({ good: stdio({}) }) },
  ),
  must(
    'mcp/kind',
    '6.2',
    'goes on with skills if mcp.json is a folder',
    plugin({ 'plugin/mcp.json': undefined, 'plugin/mcp.json/readme.md': 'A folder.\n' }),
    off,
  ),
  must(
    'mcp/inline',
    '7.2.1',
    'takes no servers from plugin.json',
    plugin({ 'plugin/plugin.json': manifest({ mcpServers: { odd: stdio({}) } }) }),
    skipped,
  ),
  must('mcp/empty', '7.2.1', 'takes an empty mcpServers', plugin({ 'plugin/mcp.json': mcp({}) }), off),
  {
    id: 'server/report',
    section: '7.2.2',
    level: 'SHOULD',
    sentence: 'reports a server that it skips',
    fixture: withServer({ type: 'carrier-pigeon' }),
    expect: { ...skipped, reports: ['odd'] },
  },
  skips('server/type', '7.2.1', 'skips a server of an unknown type', { type: 'http', url: 'https://pay.example.com/mcp' }),
  skips('server/no-type', '7.2.1', 'skips a server without a type, whatever its fields suggest', { command: 'node' }),
  skips('server/unknown-field', '7.2.1', 'skips a server with an unknown field', stdio({ disabled: true })),
  skips('server/other-variant', '7.2.1', 'skips a server with a field of another type', stdio({ url: 'https://pay.example.com/mcp' })),
  skips('server/no-command', '7.2.1', 'skips a stdio server without a command', { type: 'stdio' }),
  skips('server/args-type', '7.2.1', 'skips a server whose args are no list', stdio({ args: '-y x' })),
  skips('server/env-type', '7.2.1', 'skips a server with a variable that is no text', stdio({ env: { PORT: 80 } })),
  skips('command/shell', '7.2.1', 'skips a command that is a line for a shell', stdio({ command: 'npx -y payments' })),
  skips('command/absolute', '7.2.1', 'skips an absolute command', stdio({ command: '/bin/sh' })),
  skips('command/climbs', '4.1', 'skips a command that climbs out of the plugin', stdio({ command: './../outside/run' }), {
    'outside/run': '#!/bin/sh\n',
  }),
  skips('command/parent', '4.1', 'skips a command that begins with "../"', stdio({ command: '../outside/run' })),
  skips('command/link', '4.1', 'skips a command that is a link out of the plugin', stdio({ command: './bin/run' }), {
    'plugin/bin/run': { link: '../../outside/run' },
    'outside/run': '#!/bin/sh\n',
  }),
  skips('command/placeholder', '9.2', 'does not expand command', stdio({ command: '${PLUGIN_ROOT}/bin/run' }), {
    'plugin/bin/run': '#!/bin/sh\n',
  }),
  starts(
    'command/inside',
    '7.2.1',
    'resolves a command that begins with "./" against the plugin',
    stdio({ command: './bin/run' }),
    { command: '{root}/bin/run' },
    {
      'plugin/bin/run': '#!/bin/sh\n',
    },
  ),
  starts('cwd/default', '7.2.1', 'starts a server in the root of the plugin', stdio({}), { cwd: '{root}' }),
  starts(
    'cwd/relative',
    '7.2.1',
    'resolves a cwd that begins with "./"',
    stdio({ cwd: './work' }),
    { cwd: '{root}/work' },
    { 'plugin/work/a.txt': 'A.\n' },
  ),
  starts(
    'cwd/root',
    '7.2.1',
    'resolves a cwd in PLUGIN_ROOT',
    stdio({ cwd: '${PLUGIN_ROOT}/work' }),
    { cwd: '{root}/work' },
    { 'plugin/work/a.txt': 'A.\n' },
  ),
  starts('cwd/data', '7.2.1', 'resolves a cwd in PLUGIN_DATA', stdio({ cwd: '${PLUGIN_DATA}' }), { cwd: '{data}' }),
  skips('cwd/form', '7.2.1', 'skips a cwd of another form', stdio({ cwd: 'work' }), { 'plugin/work/a.txt': 'A.\n' }),
  skips('cwd/absolute', '7.2.1', 'skips an absolute cwd', stdio({ cwd: '/' })),
  skips('cwd/climbs', '4.1', 'skips a cwd that climbs out of the plugin', stdio({ cwd: './../outside' }), { 'outside/a.txt': 'A.\n' }),
  skips('cwd/data-climbs', '7.2.1', 'skips a cwd that climbs out of PLUGIN_DATA', stdio({ cwd: '${PLUGIN_DATA}/../other' })),
  skips('cwd/glued', '7.2.1', 'skips a cwd that only begins like PLUGIN_ROOT', stdio({ cwd: '${PLUGIN_ROOT}-other' })),
  skips('cwd/link', '4.1', 'skips a cwd that is a link out of the plugin', stdio({ cwd: './work' }), {
    'plugin/work': { link: '../outside' },
    'outside/a.txt': 'A.\n',
  }),
  skips('env/root', '9.2', 'skips a server that sets PLUGIN_ROOT', stdio({ env: { PLUGIN_ROOT: '/' } })),
  skips('env/data', '9.2', 'skips a server that sets PLUGIN_DATA', stdio({ env: { PLUGIN_DATA: '/' } })),
  starts(
    'expand/args',
    '9.2',
    'expands every occurrence in args',
    stdio({ args: ['${PLUGIN_ROOT}/a:${PLUGIN_ROOT}/b', '${PLUGIN_DATA}'] }),
    { args: ['{root}/a:{root}/b', '{data}'] },
  ),
  starts('expand/env', '9.2', 'expands values of env', stdio({ env: { STORE: '${PLUGIN_DATA}/store' } }), {
    env: { STORE: '{data}/store' },
  }),
  starts('expand/env-keys', '9.2', 'does not expand names of env', stdio({ env: { '${PLUGIN_ROOT}': 'x' } }), {
    env: { '${PLUGIN_ROOT}': 'x' },
  }),
  starts(
    'expand/others',
    '9.2',
    'expands nothing else',
    stdio({ args: ['${HOME}', '$PLUGIN_ROOT', '${plugin_root}', '~', '${PLUGIN_ROOT:-x}'] }),
    { args: ['${HOME}', '$PLUGIN_ROOT', '${plugin_root}', '~', '${PLUGIN_ROOT:-x}'] },
  ),
  starts('expand/opaque', '4.1', 'takes arguments for opaque texts, not for paths', stdio({ args: ['../outside', '/etc'] }), {
    args: ['../outside', '/etc'],
  }),
  starts('env/variables', '9.1', 'sets PLUGIN_ROOT and PLUGIN_DATA', stdio({}), { env: { PLUGIN_ROOT: '{root}', PLUGIN_DATA: '{data}' } }),
  takes('remote/https', '7.2.1', 'takes a server on the web', remote),
  takes('remote/loopback', '7.2.1', 'takes http to this machine', { type: 'streamable-http', url: 'http://127.0.0.1:8080/mcp' }),
  skips('remote/http', '7.2.1', 'skips http to another machine', { ...remote, url: 'http://pay.example.com/mcp' }),
  skips('remote/loopback-name', '7.2.1', 'skips http to a host that only begins like this machine', {
    ...remote,
    url: 'http://localhost.example.com/mcp',
  }),
  skips('remote/user', '7.2.1', 'skips a url with a user', { ...remote, url: 'https://ann@pay.example.com/mcp' }),
  skips('remote/fragment', '7.2.1', 'skips a url with a fragment', { ...remote, url: 'https://pay.example.com/mcp#x' }),
  skips('remote/scheme', '7.2.1', 'skips a url of another scheme', { ...remote, url: 'file:///etc/passwd' }),
  skips('remote/relative', '7.2.1', 'skips a url that is not absolute', { ...remote, url: '/mcp' }),
  skips('headers/twice', '7.2.1', 'skips headers of which one is there twice', {
    ...remote,
    headers: { 'X-Tenant': 'a', 'x-tenant': 'b' },
  }),
  skips('headers/name', '7.2.1', 'skips a name that no header has', { ...remote, headers: { 'X Tenant': 'a' } }),
  skips('headers/value', '7.2.1', 'skips a value that no header has', { ...remote, headers: { 'X-Tenant': 'a\r\nX-Admin: 1' } }),
  takes(
    'headers/literal',
    '7.2.1',
    'sends headers as they are written',
    { ...remote, headers: { 'X-Root': '${PLUGIN_ROOT}' } },
    {
      headers: [{ server: 'odd', target: remote.url, sent: { 'x-root': '${PLUGIN_ROOT}' } }],
    },
  ),
  takes(
    'headers/redirect',
    '7.2.1',
    'sends headers to no other origin',
    { ...remote, headers: { 'X-Tenant': 'a' } },
    {
      headers: [
        { server: 'odd', target: 'https://other.example.com/mcp', sent: { 'x-tenant': null } },
        { server: 'odd', target: 'https://pay.example.com:8443/mcp', sent: { 'x-tenant': null } },
      ],
    },
  ),
  takes(
    'headers/own',
    '7.2.1',
    'lets its own headers win',
    { ...remote, headers: { Accept: 'text/html', 'X-Tenant': 'a' } },
    {
      headers: [
        { server: 'odd', target: remote.url, own: { accept: 'application/json' }, sent: { accept: 'application/json', 'x-tenant': 'a' } },
      ],
    },
  ),
];
