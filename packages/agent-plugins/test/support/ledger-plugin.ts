import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { pluginProvider } from '../../src/index.ts';
import { pluginFolders, stdioServers } from '../../src/node.ts';
import { pluginServers } from '../../src/servers.ts';
import type { PluginServersOptions } from '../../src/servers/plugin-servers-options.ts';
import { ledgerProgram } from './mcp-servers.ts';
import { manifestOf, mcpOf, skillOf } from './plugins.ts';
import { writeFixture } from './write-fixture.ts';

/** A plugin on disk with the skills `pay` and `refund` and servers that really run. */
export async function ledgerPlugin({
  servers = {},
  manifest = {},
  trusted = true,
  options = {},
  staleAfterMs,
}: {
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly trusted?: boolean;
  readonly options?: Partial<PluginServersOptions>;
  readonly staleAfterMs?: number;
} = {}) {
  const ledger = {
    type: 'stdio',
    command: process.execPath,
    args: ['${PLUGIN_ROOT}/bin/ledger.mjs', '${PLUGIN_DATA}'],
    env: { MODE: 'in ${PLUGIN_ROOT}' },
  };
  const folder = await writeFixture({
    'plugin/plugin.json': manifestOf('billing', manifest),
    'plugin/skills/pay/SKILL.md': skillOf('pay'),
    'plugin/skills/refund/SKILL.md': skillOf('refund'),
    'plugin/bin/ledger.mjs': ledgerProgram,
    'plugin/bin/ledger': `#!/bin/sh\nexec ${process.execPath} "$PLUGIN_ROOT/bin/ledger.mjs" "$@"\n`,
    'plugin/mcp.json': mcpOf({ ledger: { ...ledger, command: 'node' }, ...servers }),
  });
  const data = await mkdtemp(path.join(tmpdir(), 'plugin-data-'));
  const provider = pluginProvider({ roots: pluginFolders([path.join(folder, 'plugin')], { trusted }), staleAfterMs });
  const all: PluginServersOptions = {
    allow: ['billing/ledger'],
    // The Node.js of this process, whatever PATH has.
    stdio: stdioServers({ data, environment: { PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}` } }),
    ...options,
  };
  const opened = pluginServers(provider, all);
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
    await rm(data, { recursive: true });
  });
  const root = await realpath(path.join(folder, 'plugin'));
  const own = path.join(await realpath(data), `billing-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  return {
    provider,
    options: all,
    servers: opened,
    root,
    data: own,
    isRunning: () => existsSync(path.join(own, 'running')),
    /** How often the program was started. */
    starts: () => readFileSync(path.join(own, 'starts'), 'utf8').length,
  };
}
