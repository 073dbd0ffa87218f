import { manifestOf, mcpOf, skillOf } from '../support/plugins.ts';
import { wanting } from './good-plugins.ts';
import { filesOf, program, withServers, type PluginRow, type RowFile, type RowServers } from './plugin-row.ts';

type Files = Readonly<Record<string, RowFile | undefined>>;

/** Plugins that break a rule, or try to get at what is not theirs. */
export function badPlugins({ url }: RowServers): readonly PluginRow[] {
  const schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
  /** Nothing of the plugin is there. */
  const refused = (name: string, about: string, code: string, manifest: RowFile): PluginRow => ({
    name,
    about,
    files: withServers(name, { own: program(`ask-${name}`) }, { 'plugin.json': manifest }),
    skills: [],
    reports: [code],
  });
  /** The plugin has other skills. */
  const skipped = (name: string, about: string, code: string, more: Files, skills: readonly string[] = []): PluginRow => ({
    name,
    about,
    files: filesOf(name, { [`skills/${name}/SKILL.md`]: undefined, ...more }),
    skills,
    reports: [code],
  });
  /** The plugin has its skill and no server. */
  const off = (name: string, about: string, code: string, more: Files): PluginRow => ({
    name,
    about,
    files: withServers(name, { own: program(`ask-${name}`) }, more),
    reports: [code],
  });
  const noServer = (name: string, about: string, part: string, server: unknown, more: Files = {}): PluginRow => ({
    name,
    about,
    files: withServers(name, { own: server }, more),
    reports: [`plugin-server-${part}`],
  });
  const stdio = (name: string, more: Readonly<Record<string, unknown>>): object => program(`ask-${name}`, [], more);
  const web = (more: Readonly<Record<string, unknown>>): object => ({ type: 'streamable-http', url: `${url}/mcp/ask-never`, ...more });

  return [
    refused('no-json', 'has a manifest that is no JSON', 'plugin-manifest-json', '{'),
    refused('list', 'has a manifest that is a list', 'plugin-manifest-json', '[]'),
    refused('no-schema', 'names no version of the standard', 'plugin-schema', JSON.stringify({ name: 'no-schema' })),
    refused('later-schema', 'names a version that nobody knows', 'plugin-schema', manifestOf('later-schema').replace('1.0.0', '9.0.0')),
    refused('capital-name', 'has a name with capitals', 'plugin-name', manifestOf('Capital')),
    refused('dotted-name', 'has a name with two periods', 'plugin-name', manifestOf('a..b')),
    refused('climbing-name', 'has a name that is a path', 'plugin-name', manifestOf('../web')),
    refused('keywords', 'has a field of a wrong type', 'plugin-field-type', manifestOf('keywords', { keywords: 'a' })),
    refused('author', 'has an author with another field', 'plugin-field-type', manifestOf('author', { author: { name: 'A', phone: '1' } })),
    refused('manifest-outside', 'has a manifest that is a link out of it', 'plugin-manifest-outside', {
      link: '../../outside/plugin.json',
    }),
    {
      name: 'zz-shadow',
      about: 'has the name of another plugin, and takes nothing of it away',
      files: withServers('skills-alone', { own: stdio('zz-shadow', {}) }),
      skills: [],
      reports: ['plugin-shadowed'],
    },

    skipped('skills-outside', 'has skills that are a link out of it', 'plugin-skills-place', { skills: { link: '../../outside/skills' } }),
    skipped('skills-file', 'has skills that are a file', 'plugin-skills-place', { skills: 'None.' }),
    skipped('skill-outside', 'has a skill that is a link out of it', 'plugin-skill-outside', {
      'skills/stolen': { link: '../../../outside/skills/stolen' },
    }),
    skipped('skill-file-outside', 'has a SKILL.md that is a link out of it', 'plugin-skill-outside', {
      'skills/stolen/SKILL.md': { link: '../../../../outside/skills/stolen/SKILL.md' },
    }),
    skipped(
      'skill-mismatch',
      'has a skill whose name is not that of its folder, beside a good one',
      'plugin-skill-invalid',
      { 'skills/mismatch/SKILL.md': skillOf('web'), 'skills/right/SKILL.md': skillOf('right') },
      ['right'],
    ),
    skipped('skill-broken', 'has a skill without a description', 'plugin-skill-invalid', {
      'skills/skill-broken/SKILL.md': '---\nname: skill-broken\n---\n\nDo skill-broken.\n',
    }),

    off('mcp-no-json', 'has servers that are no JSON', 'plugin-mcp-json', { 'mcp.json': '{' }),
    off('mcp-field', 'has another field beside its servers', 'plugin-mcp-json', {
      'mcp.json': mcpOf({ own: program('ask-mcp-field') }).replace('{', '{"inputs":[],'),
    }),
    off('mcp-list', 'has servers that are a list', 'plugin-mcp-json', { 'mcp.json': mcpOf([] as never) }),
    off('mcp-version', 'names another version in mcp.json', 'plugin-mcp-schema', {
      'mcp.json': mcpOf({ own: program('ask-mcp-version') }).replace('1.0.0', '1.1.0'),
    }),
    off('mcp-outside', 'has servers that are a link out of it', 'plugin-mcp-place', { 'mcp.json': { link: '../../outside/mcp.json' } }),
    off('mcp-folder', 'has servers that are a folder', 'plugin-mcp-place', { 'mcp.json': undefined, 'mcp.json/a.txt': 'A' }),

    {
      name: 'one-of-two',
      about: 'has a bad server, which does not take the good one with it',
      files: withServers('one-of-two', { bad: { type: 'pigeon' }, own: program('ask-one-of-two') }),
      tools: { 'ask-one-of-two': 'root={root} ' },
      reports: ['plugin-server-invalid'],
    },
    noServer('type', 'has a server of an unknown type', 'invalid', { type: 'http', url: `${url}/mcp/ask-type` }),
    noServer('variant', 'has a server with a field of another type', 'invalid', stdio('variant', { url: `${url}/mcp/ask-variant` })),
    noServer('disabled', 'has a server with an unknown field', 'invalid', stdio('disabled', { disabled: false })),
    noServer('args-text', 'has arguments that are a text', 'invalid', stdio('args-text', { args: '${PLUGIN_ROOT}/bin/server' })),
    noServer('args-null', 'has null for its arguments', 'invalid', stdio('args-null', { args: null })),
    noServer('env-null', 'has null for its environment', 'invalid', stdio('env-null', { env: null })),
    noServer('headers-null', 'has null for its headers', 'invalid', web({ headers: null })),
    noServer('cwd-data-below', 'has a cwd of its data below itself', 'failed', stdio('a', { cwd: './${PLUGIN_DATA}' })),
    noServer('env-number', 'has a variable that is a number', 'invalid', stdio('env-number', { env: { WORD: 7 } })),
    noServer('env-root', 'sets PLUGIN_ROOT', 'env', stdio('env-root', { env: { PLUGIN_ROOT: '/' } })),
    noServer('env-data', 'sets PLUGIN_DATA', 'env', stdio('env-data', { env: { PLUGIN_DATA: '/' } })),
    noServer('command-line', 'has a command that is a line for a shell', 'command', stdio('command-line', { command: 'sh -c id' })),
    noServer('command-absolute', 'has an absolute command', 'command', stdio('command-absolute', { command: '/bin/sh' })),
    noServer('command-variable', 'has a variable in its command', 'command', stdio('a', { command: '${PLUGIN_ROOT}/bin/server' })),
    noServer('command-climbs', 'has a command that climbs out', 'command', stdio('a', { command: './../../outside/run' })),
    noServer('command-parent', 'has a command above it', 'command', stdio('a', { command: '../../outside/run' })),
    noServer('command-backslash', 'has a command with backslashes', 'command', stdio('a', { command: '.\\bin\\server' })),
    noServer('command-root', 'has its own root for a command', 'command', stdio('a', { command: './' })),
    noServer('command-link', 'has a command that is a link out of it', 'command', stdio('a', { command: './run' }), {
      run: { link: '../../outside/run' },
    }),
    noServer('cwd-bare', 'has a cwd without "./"', 'cwd', stdio('cwd-bare', { cwd: 'bin' })),
    noServer('cwd-absolute', 'has an absolute cwd', 'cwd', stdio('cwd-absolute', { cwd: '/tmp' })),
    noServer('cwd-climbs', 'has a cwd that climbs out', 'cwd', stdio('cwd-climbs', { cwd: './../../outside' })),
    noServer('cwd-data-climbs', 'has a cwd in the data of another plugin', 'cwd', stdio('a', { cwd: '${PLUGIN_DATA}/../both' })),
    noServer('cwd-glued', 'has a cwd that only begins like PLUGIN_ROOT', 'cwd', stdio('cwd-glued', { cwd: '${PLUGIN_ROOT}-other' })),
    noServer('cwd-variable', 'has another variable in its cwd', 'cwd', stdio('cwd-variable', { cwd: '${HOME}' })),
    noServer('cwd-link', 'has a cwd that is a link out of it', 'cwd', stdio('cwd-link', { cwd: './work' }), {
      work: { link: '../../outside' },
    }),
    noServer('url-http', 'has http to another machine', 'url', web({ url: 'http://plugins.example.com/mcp' })),
    noServer('url-alike', 'has http to a host that only begins like this machine', 'url', web({ url: 'http://localhost.example.com/mcp' })),
    noServer('url-user', 'has a user in its url', 'url', web({ url: url.replace('//', '//ann:secret@') })),
    noServer('url-fragment', 'has a fragment in its url', 'url', web({ url: `${url}/mcp/ask-never#x` })),
    noServer('url-scheme', 'has a url of another scheme', 'url', web({ url: 'file:///etc/passwd' })),
    noServer('url-variable', 'has a variable for its url', 'url', web({ url: '${PLUGIN_ROOT}/mcp' })),
    noServer('headers-twice', 'has a header twice', 'headers', web({ headers: { 'X-Tenant': 'a', 'x-tenant': 'b' } })),
    noServer('headers-line', 'has a header with a second line', 'headers', web({ headers: { 'X-Tenant': 'a\r\nX-Admin: 1' } })),

    noServer('moved-away', 'has a server that moved to another origin', 'failed', {
      ...web({ headers: { 'X-Tenant': 'stolen' } }),
      url: `${url}/moved`,
    }),
    noServer('events-away', 'has an SSE server that names an endpoint of another origin', 'failed', {
      type: 'sse',
      url: `${url}/sse-away`,
      headers: { 'X-Tenant': 'stolen' },
    }),
    noServer('down', 'has a server that nobody answers for', 'failed', web({ url: 'http://127.0.0.1:1/mcp' })),
    noServer('no-program', 'has a program that is not there', 'failed', stdio('no-program', { command: './bin/none' })),
    noServer('no-secret', 'wants a secret that the host does not tell', 'failed', stdio('no-secret', {}), {
      'plugin.json': wanting('no-secret', 'kept'),
    }),
    {
      ...noServer('data-link', 'left a link out of its data', 'failed', stdio('data-link', { cwd: '${PLUGIN_DATA}/a' })),
      data: { a: { link: '..' } },
    },
    { ...noServer('bundle-program', 'has a program in memory', 'failed', stdio('bundle-program', {})), place: 'bundle' },
    {
      name: 'not-allowed',
      about: 'has a server that the host does not allow',
      files: withServers('not-allowed', { own: stdio('not-allowed', {}) }),
      notAllowed: ['own'],
    },
    {
      name: 'untrusted',
      about: 'lies in a folder that the host does not trust',
      place: 'untrusted',
      files: withServers('untrusted', { own: stdio('untrusted', {}), web: web({}) }),
    },
    refused(
      'field-name',
      'has a schema that only looks right',
      'plugin-schema',
      JSON.stringify({ $schema: `${schema}#`, name: 'field-name' }),
    ),
  ];
}

/** What lies beside the plugins: nothing of it is theirs. */
export const outsideFiles: Readonly<Record<string, string>> = {
  'plugin.json': manifestOf('manifest-outside'),
  'mcp.json': mcpOf({ own: program('ask-mcp-outside') }),
  'skills/stolen/SKILL.md': skillOf('stolen'),
  run: '#!/bin/sh\nexit 0\n',
};
