/**
 * An MCP server over stdio that publishes a folder of skills: `node skill-mcp-stdio.ts FOLDER`. Started by `fork` and without a folder, it is many: for each folder that it is
 * sent, it answers with a port, and who connects there has a server that speaks stdio over the connection. A process of its own takes a third of a second of CPU.
 */
import { createServer, type AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { serveSkillsOverMcp } from '@repertoire/skill-mcp/server';

async function serve(folder: string, transport: StdioServerTransport): Promise<void> {
  const provider = fileSystemSkillProvider({ roots: [folder], staleAfterMs: 0, watch: { debounceMs: 20 } });
  const server = new McpServer({ name: 'skills-of-a-folder', version: '1.0.0' });
  await serveSkillsOverMcp(server, provider, { profile: 'lenient', exposeTools: true });
  await server.connect(transport);
}

process.on('message', (folder: string) => {
  const server = createServer((socket) => {
    socket.on('close', () => server.close());
    void serve(folder, new StdioServerTransport(socket, socket));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});

const [folder] = process.argv.slice(2);
if (folder !== undefined) await serve(folder, new StdioServerTransport());
