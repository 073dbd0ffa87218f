import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { httpSkillProvider } from '@repertoire/skill-http';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import { storageSkillProvider, unstorageSkillStore } from '@repertoire/skill-storage';
import { composeProviders, type SkillProvider } from '@repertoire/skills-core';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import type { Faults } from './faults.ts';
import { faultyStore } from './faulty-store.ts';
import type { SoakPlaces } from './world.ts';

/** The sources as an agent has them. */
export interface AgentSources {
  readonly provider: SkillProvider;
  /** Closes the MCP client, as a host does that connects anew. The next call makes another. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/** Short, so that outages and changes are seen often. */
const timeoutMs = 600;
const freshMs = 300;
/** Small, so that what is kept is full before the heap is looked at. */
const memoryBytes = 262_144;

export function openAgentSources(places: SoakPlaces, storeFaults: Faults): AgentSources {
  let connecting: Promise<Client> | undefined;
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'soak', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', places.mcp)), { timeout: timeoutMs });
    return client;
  };
  const client = (): Promise<Client> => {
    const attempt = (connecting ??= connect());
    attempt.catch(() => {
      if (connecting === attempt) connecting = undefined;
    });
    return attempt;
  };
  const disconnect = async (): Promise<void> => {
    const old = connecting;
    connecting = undefined;
    await (await old?.catch(() => undefined))?.close();
  };
  const provider = composeProviders(
    [
      fileSystemSkillProvider({ label: 'fs', roots: [places.fs], staleAfterMs: freshMs }),
      httpSkillProvider({
        label: 'http',
        url: places.http,
        allowHttp: true,
        allowPrivateAddresses: true,
        timeoutMs,
        staleTimeoutMs: timeoutMs,
        retries: 1,
        minFreshMs: freshMs,
        maxFreshMs: freshMs,
        cooldownMs: freshMs,
        limits: { memoryBytes },
      }),
      mcpSkillProvider({ label: 'mcp', client, timeoutMs, listTimeoutMs: 2 * timeoutMs, minFreshMs: freshMs, maxFreshMs: freshMs }),
      storageSkillProvider({
        label: 'storage',
        store: faultyStore(unstorageSkillStore(createStorage({ driver: fsDriver({ base: places.storage, readOnly: true }) })), storeFaults),
        staleAfterMs: freshMs,
        limits: { memoryBytes },
      }),
    ],
    { timeoutMs: 2_000 },
  );
  return {
    provider,
    reconnect: disconnect,
    async close() {
      await provider[Symbol.asyncDispose]?.();
      await disconnect();
    },
  };
}
