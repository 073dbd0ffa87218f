import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { httpSkillProvider } from '@repertoire/skill-http';
import { mcpSkillProvider } from '@repertoire/skill-mcp';
import type { SkillProvider } from '@repertoire/skills-core';
import type { OpenSource } from './source.ts';
import type { ParityLibrary } from '@repertoire/skills-testkit/internal';

/** The client's half of the sources that lie behind a socket: the same in Node.js and in a Worker. */
export function httpLibrary({ label, trusted }: ParityLibrary, url: string): SkillProvider {
  return httpSkillProvider({ url, label, trusted, allowHttp: true, allowPrivateAddresses: true });
}

export async function mcpLibrary({ label, trusted }: ParityLibrary, url: string): Promise<OpenSource> {
  const client = new Client({ name: 'parity', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  return { provider: mcpSkillProvider({ client, label, trusted }), close: () => client.close() };
}
