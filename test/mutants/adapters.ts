import type { Mutant } from './mutant.ts';

/** Mutants of the adapters. */
export const mutants: readonly Mutant[] = [
  {
    name: 'vercel-step-of-another-length',
    file: 'packages/adapter-vercel-ai/src/state/conversation-state.ts',
    from: 'known?.length === messages.length',
    to: 'known !== undefined',
    tests: ['packages/adapter-vercel-ai/test'],
  },
  {
    name: 'vercel-active-tools-not-intersected',
    file: 'packages/adapter-vercel-ai/src/step/compose-prepare-step.ts',
    from: 'mine?.activeTools?.filter((name) => shown?.includes(name) ?? true)',
    to: 'mine?.activeTools; void shown',
    tests: ['packages/adapter-vercel-ai/test'],
  },
  {
    name: 'langchain-updates-everything',
    file: 'packages/adapter-langchain/src/state/graph-state.ts',
    from: 'before.loaded[name] === after[name] ? [] : [[name',
    to: 'false ? [] : [[name',
    tests: ['packages/adapter-langchain/test'],
  },
  {
    name: 'vercel-inner-agent-keeps-the-outer-state',
    file: 'packages/adapter-vercel-ai/src/build-skills.ts',
    from: 'fork: undefined, state: undefined }',
    to: 'fork: undefined }',
    tests: ['packages/adapter-vercel-ai/test/fork.test.ts'],
  },
  {
    name: 'vercel-half-opened-servers-left-open',
    file: 'packages/adapter-vercel-ai/src/sources/mcp-tools.ts',
    from: '    } catch (error) {\n      await close();\n',
    to: '    } catch (error) {\n',
    tests: ['packages/adapter-vercel-ai/test/tool-sources.test.ts'],
  },
  {
    name: 'langchain-half-opened-servers-left-open',
    file: 'packages/adapter-langchain/src/tools-of-skills/mcp-tools.ts',
    from: '    await close();\n    throw new SkillError(',
    to: '    throw new SkillError(',
    tests: ['packages/adapter-langchain/test/connections.test.ts'],
  },
];
