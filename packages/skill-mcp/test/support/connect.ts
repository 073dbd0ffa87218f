import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';

/** The two ends of one pipe in memory. */
export async function connectInMemory(server: McpServer): Promise<{ client: Client; close: () => Promise<void> }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  await client.connect(near);
  return { client, close: () => client.close() };
}
