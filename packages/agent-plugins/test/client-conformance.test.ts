import { pluginClientCases } from '@repertoire/skills-testkit/plugins';
import { describe, expect, it } from 'vitest';
import { naiveClients } from './support/naive-clients.ts';
import { ownClient } from './support/own-client.ts';

describe('PLG-2: Agent Plugins 1.0.0, for clients', () => {
  it.each(pluginClientCases(ownClient))('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it('has a name for each case, and no name twice', () => {
    const ids = pluginClientCases(ownClient).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(naiveClients)('PLG-3: notices a client that $breaks', async ({ client, caughtBy }) => {
    const one = pluginClientCases(client).find(({ id }) => id === caughtBy);
    expect(one, `there is a case ${caughtBy}`).toBeDefined();
    await expect(one!.run()).rejects.toThrow(/of a client that/);
    // It is this rule that it breaks, and not all of them.
    await pluginClientCases(client)
      .find(({ id }) => id === 'load/directory')!
      .run();
  });

  it('tries at least thirty of them', () => {
    expect(naiveClients.length).toBeGreaterThanOrEqual(30);
  });
});
