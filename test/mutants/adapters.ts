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
];
