import { McpServer } from '@modelcontextprotocol/server';
import type { SkillProvider } from '@repertoire/skills-core';
import { afterAll } from 'vitest';
import { ofCode, testEveryField } from '../../skills-core/test/helpers/skills-of-every-field.ts';
import { mcpSkillProvider } from '../src/index.ts';
import { serveSkillsOverMcp } from '../src/server.ts';
import { connectInMemory } from './support/connect.ts';

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => await Promise.all(opened.map(async (connection) => await connection.close())));

const publish = async (library: SkillProvider): Promise<SkillProvider> => {
  const server = new McpServer({ name: 'ours', version: '1.0.0' });
  await serveSkillsOverMcp(server, library, { rewriteSkillMd: true });
  const connection = await connectInMemory(server);
  opened.push(connection);
  return mcpSkillProvider({ client: connection.client });
};
testEveryField('SRC-6: MCP', publish, ofCode);
