import { manifestOf, mcpOf, skillOf } from '../support/plugins.ts';
import { filesOf, program, serverProgram, withServers, type PluginRow, type RowServers } from './plugin-row.ts';

/** Plugins that conform, or that say more than the standard knows: all of them give their skills. */
export function goodPlugins({ url }: RowServers): readonly PluginRow[] {
  const web = (tool: string, more: Readonly<Record<string, unknown>> = {}): object => ({
    type: 'streamable-http',
    url: `${url}/mcp/${tool}`,
    ...more,
  });
  /** One stdio server, of which the tool has to answer this. */
  const started = (name: string, about: string, server: readonly [...Parameters<typeof program>] | object, answer: string, more = {}) => ({
    name,
    about,
    files: withServers(name, { own: Array.isArray(server) ? program(...(server as Parameters<typeof program>)) : server }, more),
    tools: { [`ask-${name}`]: answer },
  });
  const own = (name: string, more: Readonly<Record<string, unknown>>): object => ({ type: 'stdio', args: [`ask-${name}`], ...more });

  return [
    { name: 'skills-alone', about: 'has skills and nothing else', files: filesOf('skills-alone') },
    { name: 'no-skills', about: 'has servers and no skill, so that nothing loads them', skills: [], files: serversAlone('no-skills') },
    {
      name: 'two-skills',
      about: 'has two skills that share a server',
      files: withServers('two-skills', { own: program('ask-two-skills') }, { 'skills/second/SKILL.md': skillOf('second') }),
      skills: ['two-skills', 'second'],
      tools: { 'ask-two-skills': 'args= ' },
    },
    {
      name: 'nested',
      about: 'has a skill below a skill, which is not searched for',
      files: filesOf('nested', { 'skills/nested/deeper/SKILL.md': skillOf('deeper'), 'deep/skills/far/SKILL.md': skillOf('far') }),
    },
    {
      name: 'linked-skill',
      about: 'has a skill that is a link inside the plugin',
      files: filesOf('linked-skill', {
        'skills/linked-skill/SKILL.md': undefined,
        'skills/linked-skill': { link: '../parts/linked-skill' },
        'parts/linked-skill/SKILL.md': skillOf('linked-skill'),
      }),
    },
    {
      name: 'has a space',
      about: 'lies in a folder with a space',
      files: withServers('spaced', { own: program('ask-spaced') }),
      skills: ['spaced'],
      tools: { 'ask-spaced': 'root={root} ' },
    },
    {
      name: 'more-fields',
      about: 'has a field that the standard does not know',
      files: filesOf('more-fields', { 'plugin.json': manifestOf('more-fields', { hooks: { start: 'sh' } }) }),
      reports: ['plugin-field-unknown'],
    },
    {
      name: 'other-client',
      about: 'has data of another client, at which nobody looks',
      files: filesOf('other-client', { 'plugin.json': manifestOf('other-client', { extensions: { 'com.example': [{ mcpServers: 7 }] } }) }),
    },
    {
      name: 'draft',
      about: 'is of the draft 1.1.0',
      files: withServers(
        'draft',
        {},
        {
          'plugin.json': manifestOf('draft', { displayName: 'Draft', icon: './icon.png' }).replace('1.0.0', '1.1.0'),
          'icon.png': 'icon',
          'mcp.json': mcpOf({ own: program('ask-draft') }).replace('1.0.0', '1.1.0'),
        },
      ),
      tools: { 'ask-draft': 'args= ' },
    },
    {
      name: 'older-one',
      about: 'has an older manifest, of which servers are not read',
      files: filesOf('older-one', {
        'plugin.json': undefined,
        '.claude-plugin/plugin.json': JSON.stringify({ name: 'older-one', mcpServers: { own: program('ask-older-one') } }),
        'mcp.json': mcpOf({ own: program('ask-older-one') }),
      }),
      reports: ['plugin-older-manifest'],
    },
    {
      name: 'older-two',
      about: 'has an older manifest that names another place of skills',
      files: filesOf('older-two', {
        'plugin.json': undefined,
        'skills/older-two/SKILL.md': undefined,
        '.codex-plugin/plugin.json': JSON.stringify({ name: 'older-two', skills: './parts' }),
        'parts/older-two/SKILL.md': skillOf('older-two'),
      }),
      reports: ['plugin-older-manifest'],
    },
    ...['clash-one', 'clash-two'].map((name) => ({
      name,
      about: 'has a skill of the same name as another plugin',
      files: filesOf(name, { [`skills/${name}/SKILL.md`]: undefined, 'skills/clash/SKILL.md': skillOf('clash', `Do ${name}:clash.`) }),
      skills: [`${name}:clash`],
      reports: ['plugin-skill-renamed'],
    })),

    started('bare-command', 'starts a program by a bare name', ['ask-bare-command'], 'args= '),
    started('own-command', 'starts a program of its own', own('own-command', { command: './bin/server' }), 'cwd={root} '),
    started(
      'dotted-command',
      'starts a program by a path that stays inside',
      own('dotted-command', { command: './x/.././bin/server' }),
      '=',
    ),
    started('linked-command', 'starts a program by a link inside', own('linked-command', { command: './run' }), 'root={root} ', {
      run: { link: 'bin/server' },
    }),
    started('cwd-none', 'is started in its root', ['ask-cwd-none'], 'cwd={root} '),
    started('cwd-inside', 'is started in a folder of the plugin', ['ask-cwd-inside', [], { cwd: './work' }], 'cwd={root}/work ', {
      'work/a.txt': 'A',
    }),
    started('cwd-root', 'is started below PLUGIN_ROOT', ['ask-cwd-root', [], { cwd: '${PLUGIN_ROOT}/work' }], 'cwd={root}/work ', {
      'work/a.txt': 'A',
    }),
    started('cwd-data', 'is started in its data, which is made', ['ask-cwd-data', [], { cwd: '${PLUGIN_DATA}/a/b' }], 'cwd={data}/a/b '),
    started(
      'args-expanded',
      'has both folders put into its arguments, wherever they are named',
      ['ask-args-expanded', ['${PLUGIN_ROOT}/a:${PLUGIN_ROOT}/b', '--data=${PLUGIN_DATA}']],
      'args={root}/a:{root}/b|--data={data} ',
    ),
    started(
      'args-others',
      'has no other variable expanded',
      ['ask-args-others', ['${HOME}', '$PLUGIN_ROOT', '${plugin_root}', '${PLUGIN_ROOT:-x}', '%PLUGIN_ROOT%', '~']],
      'args=${HOME}|$PLUGIN_ROOT|${plugin_root}|${PLUGIN_ROOT:-x}|%PLUGIN_ROOT%|~ ',
    ),
    started(
      'args-opaque',
      'has arguments that look like paths and like commands, and that nobody reads as such',
      ['ask-args-opaque', ['../outside', '/etc', '$(id)', ';', '*', '-e']],
      'args=../outside|/etc|$(id)|;|*|-e ',
    ),
    started(
      'args-once',
      'has nothing expanded twice, though the folder of its data is named like a variable',
      ['ask-args-once', ['${PLUGIN_DATA}']],
      'args={data} ',
    ),
    started(
      'env-expanded',
      'has both folders put into values of its environment',
      ['ask-env-expanded', [], { env: { WORD: '${PLUGIN_DATA}/x ${HOME}' } }],
      'word={data}/x ${HOME} ',
    ),
    started('env-folders', 'finds both folders in its environment', ['ask-env-folders'], 'root={root} data={data}.'),

    {
      name: 'web',
      about: 'has a server over HTTP',
      files: withServers('web', { own: web('ask-web') }),
      tools: { 'ask-web': 'tenant=none' },
    },
    {
      name: 'web-headers',
      about: 'has headers, which are sent as they are written',
      files: withServers('web-headers', {
        own: web('ask-web-headers', { headers: { 'X-Tenant': '${PLUGIN_ROOT}', Accept: 'text/html' } }),
      }),
      tools: { 'ask-web-headers': 'tenant=${PLUGIN_ROOT}' },
    },
    {
      name: 'web-moved',
      about: 'has a server that moved within its origin, to which its headers go too',
      files: withServers('web-moved', {
        own: { type: 'streamable-http', url: `${url}/moved/ask-web-moved`, headers: { 'X-Tenant': 'acme' } },
      }),
      tools: { 'ask-web-moved': 'tenant=acme' },
    },
    {
      name: 'events',
      about: 'has a server over SSE',
      files: withServers('events', { own: { type: 'sse', url: `${url}/sse/ask-events`, headers: { 'X-Tenant': 'acme' } } }),
      tools: { 'ask-events': 'tenant=acme' },
    },
    {
      name: 'both',
      about: 'has a server of each kind',
      files: withServers('both', { own: program('ask-both-program'), web: web('ask-both-web') }),
      tools: { 'ask-both-program': 'root={root} ', 'ask-both-web': 'tenant=none' },
    },
    {
      name: 'several',
      about: 'has several servers, of which the host allows two',
      files: withServers('several', { a: program('ask-several-a'), b: web('ask-several-b'), c: program('ask-several-c') }),
      tools: { 'ask-several-a': 'root={root} ', 'ask-several-b': 'tenant=none' },
      notAllowed: ['c'],
    },
    {
      name: 'declares',
      about: 'declares the tools of one server, so that the other brings none',
      files: withServers('declares', { own: web('ask-declares'), spare: web('ask-declares-spare') }, { 'plugin.json': declaring() }),
      tools: { 'ask-declares': 'tenant=none' },
    },
    {
      name: 'secret',
      about: 'gets a secret of the host',
      files: withServers('secret', { own: program('ask-secret') }, { 'plugin.json': wanting('secret', 'told') }),
      tools: { 'ask-secret': 'word=the secret told ' },
    },
    {
      name: 'bundle-web',
      about: 'is in memory',
      place: 'bundle',
      files: withServers('bundle-web', { own: web('ask-bundle-web') }),
      tools: { 'ask-bundle-web': 'tenant=none' },
    },
    {
      name: 'archive-web',
      about: 'is in an archive',
      place: 'archive',
      files: withServers('archive-web', { own: web('ask-archive-web') }),
      tools: { 'ask-archive-web': 'tenant=none' },
    },
  ];
}

/** The manifest of a plugin whose server needs a secret in its variable WORD. */
export function wanting(name: string, secret: string): string {
  return manifestOf(name, { extensions: { 'dev.repertoire': { secrets: { own: { env: { WORD: secret } } } } } });
}

function declaring(): string {
  return manifestOf('declares', { extensions: { 'dev.repertoire': { permissions: { tools: { own: ['ask-declares'] } } } } });
}

function serversAlone(name: string): PluginRow['files'] {
  return { 'plugin.json': manifestOf(name), 'mcp.json': mcpOf({ own: program(`ask-${name}`) }), 'bin/server': serverProgram };
}
