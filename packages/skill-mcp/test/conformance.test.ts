import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
import { mcpSkillProvider } from '../src/index.ts';
import { connectInMemory } from './support/connect.ts';
import { library, skillServer } from './support/skill-server.ts';

testSkillProvider({
  name: 'SRC-6, CON-4: skill-mcp, over an in-memory pair',
  abilities: ['watch', 'dispose', 'raw'],
  trusted: false,
  knownFailures: [
    {
      id: 'list/other-fields',
      reason: 'The extension sends the frontmatter as JSON, where the number 1.10 that a file has without quotes is 1.1.',
    },
  ],
  create: async (files) => {
    const served = library(files);
    const server = skillServer(served);
    const { client, close } = await connectInMemory(server);
    return {
      provider: mcpSkillProvider({ label: 'memory', client, profile: 'lenient', debounceMs: 1 }),
      reads: () => served.reads,
      change: async (next) => {
        served.files = next;
        await server.server.sendResourceListChanged();
      },
      dispose: close,
    };
  },
  failing: async () => {
    const { client, close } = await connectInMemory(skillServer(library({})));
    await close();
    return { provider: mcpSkillProvider({ client, profile: 'lenient' }) };
  },
  stalled: async () => {
    const connection = { extension: () => ({}), request: () => new Promise<never>(() => {}) };
    return { provider: mcpSkillProvider({ client: connection, profile: 'lenient', setTimer: () => () => {} }) };
  },
});
