import { expect, it } from 'vitest';
import { brokenTable } from '../../../test/support/one-field-broken.ts';
import { memoryPluginFiles } from '../src/index.ts';
import { readPlugin } from '../src/read/read-plugin.ts';
import { manifestOf } from './support/plugins.ts';

const mcp = {
  $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
  mcpServers: {
    local: { type: 'stdio', command: 'node', args: ['./server.js'], env: { TZ: 'UTC' }, cwd: './server' },
    remote: { type: 'streamable-http', url: 'https://mcp.example/', headers: { 'x-client': 'tides' } },
  },
};

it('PLG-4: the servers of a plugin of which one field is wrong are left out by its code, and the others stay', async () => {
  const read = (value: unknown) =>
    readPlugin(memoryPluginFiles({ 'plugin.json': manifestOf('ledger'), 'mcp.json': JSON.stringify(value) }));
  const whole = await read(mcp);
  expect([whole.diagnostics, [...(whole.plugin?.servers.keys() ?? [])]]).toEqual([[], ['local', 'remote']]);
  await expect(await brokenTable(mcp, async (value) => (await read(value)).diagnostics)).toMatchFileSnapshot('broken/mcp.txt');
});
