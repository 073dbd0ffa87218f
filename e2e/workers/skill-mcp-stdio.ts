/** An MCP server over stdio that publishes a folder of skills: `node skill-mcp-stdio.ts <folder>`. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { serveSkillsOverMcp } from '@repertoire/skill-mcp/server';

const provider = fileSystemSkillProvider({ roots: [process.argv[2] ?? '.'], staleAfterMs: 0, watch: { debounceMs: 20 } });
const server = new McpServer({ name: 'skills-of-a-folder', version: '1.0.0' });
await serveSkillsOverMcp(server, provider, { profile: 'lenient', exposeTools: true });
await server.connect(new StdioServerTransport());
