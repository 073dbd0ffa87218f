import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { PluginClient, PluginClientAnswer } from '@repertoire/skills-testkit/plugins';
import { pluginProvider } from '../../src/index.ts';
import { pluginFolders } from '../../src/node.ts';
import { launchPlan } from '../../src/servers/launch-plan.ts';
import { requestHeaders } from '../../src/servers/request-headers.ts';
import { writeFixture } from './write-fixture.ts';

/** This package as a client of plugins. */
export const ownClient: PluginClient = async (fixture) => {
  const folder = await writeFixture(fixture);
  try {
    const root = path.join(folder, 'plugin');
    const provider = pluginProvider({ roots: pluginFolders([root]) });
    const { skills, diagnostics } = await provider.listSkills();
    const [plugin] = await provider.listPlugins();
    const servers = [...(plugin?.servers ?? [])].map(([name, server]): [string, PluginClientAnswer['servers'][string]] => [
      name,
      server.type === 'stdio'
        ? { type: 'stdio', ...launchPlan(server, { root, data: path.join(folder, 'data'), base: { PATH: '/usr/bin' } }) }
        : {
            type: server.type,
            url: server.url,
            headersFor: (target, own) => Object.fromEntries(requestHeaders(server, target, { ...own })),
          },
    ]);
    return {
      loaded: plugin !== undefined,
      skills: skills.map(({ name }) => name),
      servers: Object.fromEntries(servers),
      reported: diagnostics.map(({ code, message, path: place }) => `${code} ${place ?? ''}: ${message}`),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};
