import type { Mutant } from './mutant.ts';

const source = 'packages/agent-plugins/src/';
const clients = ['packages/agent-plugins/test/client-conformance.test.ts'];
const servers = ['packages/agent-plugins/test/plugin-servers.test.ts'];
const provider = ['packages/agent-plugins/test/plugin-provider.test.ts'];

/** Mutants of Agent Plugins: what is refused, what stays inside, what is started. */
export const mutants: readonly Mutant[] = [
  {
    name: 'plugin-name-with-periods',
    file: `${source}read/plugin-manifest.ts`,
    from: '!/--|\\.\\./.test(name)',
    to: '!/--/.test(name)',
    tests: clients,
  },
  {
    name: 'plugin-path-climbs',
    file: `${source}read/plugin-path.ts`,
    from: 'else if (segments.pop() === undefined) return null;',
    to: 'else segments.pop();',
    tests: clients,
  },
  {
    name: 'plugin-http-anywhere',
    file: `${source}read/remote-server-rules.ts`,
    from: "protocol === 'http:' && !isLoopback(hostname)",
    to: 'false',
    tests: clients,
  },
  {
    name: 'plugin-headers-anywhere',
    file: `${source}servers/request-headers.ts`,
    from: 'new URL(target).origin === new URL(url).origin',
    to: 'true',
    tests: clients,
  },
  {
    name: 'plugin-server-without-trust',
    file: `${source}servers/may-open-server.ts`,
    from: 'plugin.root.trusted !== true || skill.origin?.trusted !== true',
    to: 'false',
    tests: servers,
  },
  {
    name: 'plugin-server-not-named',
    file: `${source}servers/may-open-server.ts`,
    from: '!allow.includes(`${plugin.manifest.name}/${server}`)',
    to: 'false',
    tests: servers,
  },
  {
    name: 'plugin-grant-of-anything',
    file: `${source}servers/may-open-server.ts`,
    from: '(await grant(request)) === true',
    to: '(await grant(request)) !== false',
    tests: servers,
  },
  {
    name: 'plugin-command-not-looked-at-again',
    file: `${source}node/stdio-servers.ts`,
    from: "if (stdio.command.startsWith('./')) await assertInside(command, root, 'command');",
    to: '',
    tests: servers,
  },
  {
    name: 'plugin-stranger-takes-a-name',
    file: `${source}provider/names-apart.ts`,
    from: 'trusted.length === 1 ? trusted[0] : undefined',
    to: 'undefined',
    tests: provider,
  },
  {
    name: 'plugin-unknown-digest-is-not-blocked',
    file: `${source}policy/plugin-lists.ts`,
    from: 'matches(entry, true)',
    to: 'matches(entry, false)',
    tests: provider,
  },
];
