/**
 * The client that the conformance scenarios of the skills extension run: `node skill-mcp-conformance-client.ts URL`. It lists, and loads what it found
 * where the scenario is about loading. A refusal is what those scenarios wait for, so it ends with 1 then.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mcpSkillProvider } from '@repertoire/skill-mcp';

const [url = ''] = process.argv.slice(2);
const client = new Client({ name: 'repertoire', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const provider = mcpSkillProvider({ label: 'conformance', client });
const { skills } = await provider.listSkills();
if (skills.length === 0) throw new Error('The server lists no skills.');
if (process.env['MCP_CONFORMANCE_SCENARIO'] !== 'sep-2640-client-no-prefetch') {
  for (const { name } of skills) {
    const skill = await provider.getSkill(name);
    for (const { path } of skill?.resources ?? []) await provider.readResource(name, path);
  }
}
await client.close();
