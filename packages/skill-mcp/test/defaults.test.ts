import { expect, it } from 'vitest';
import { testDefaults } from '../../../test/support/options-laws.ts';
import { mcpSkillSettings } from '../src/provider/mcp-skill-provider-options.ts';
import { publishSettings } from '../src/server/serve-skills-over-mcp-options.ts';

const given = { client: async () => await Promise.reject(new Error('Nobody asks.')), setTimer: () => () => {} };
testDefaults('SRC-6: mcpSkillProvider', 'skill-mcp', 'McpSkillProviderOptions', (options) => mcpSkillSettings({ ...given, ...options }));
testDefaults('SRC-6: serveSkillsOverMcp', 'skill-mcp', 'ServeSkillsOverMcpOptions', (options) => publishSettings(options, 'serve'));

it.each(['..', 'a/./b', 'a b', 'a?b'])('SRC-6: serveSkillsOverMcp refuses the prefix %j', (prefix) => {
  expect(() => publishSettings({ prefix }, 'serve')).toThrow(
    expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining(JSON.stringify(prefix)) as string }),
  );
});
