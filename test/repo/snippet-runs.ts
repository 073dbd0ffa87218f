/** What is said of one snippet: the one of that document whose code has those words. */
interface SnippetNote {
  readonly path: string;
  readonly has: string;
}

/** Code that runs instead of the hidden setup, and code behind the snippet that throws where it did something wrong. */
export const runs: readonly (SnippetNote & { readonly before?: string; readonly after?: string })[] = [
  { path: 'README.md', has: "openai('gpt-5.5')", after: expectPrinted('Done.') },
  {
    path: 'docs/guide/getting-started.md',
    has: 'const { text, steps } = await generateText(',
    after: expectPrinted('Done.', '["load_skill"]'),
  },
  {
    // What was loaded must not be lost between two turns.
    path: 'docs/guide/getting-started.md',
    has: 'result.responseMessages',
    after: expectPrinted('loaded: ["refunds"]', 'loaded: ["refunds"]'),
  },
  {
    path: 'docs/guide/getting-started.md',
    has: 'checkpointer: new MemorySaver()',
    after: expectPrinted('Done.', '["refunds"]'),
  },
  { path: 'docs/guide/getting-started.md', has: 'const next = await agent.invoke(', after: expectPrinted('Done.') },
  {
    path: 'docs/guide/getting-started.md',
    has: 'tools: [process_refund] });',
    after: expectPrinted('Done.', '["load_skill"]'),
  },
  { path: 'docs/guide/getting-started.md', has: 'const next = await run(', after: expectPrinted('Done.') },
  { path: 'packages/adapter-vercel-ai/README.md', has: "openai('gpt-5.5')", after: expectPrinted('Done.') },
  { path: 'packages/adapter-langchain/README.md', has: "'openai:gpt-5.5'", after: expectPrinted('Done.') },
  { path: 'packages/adapter-openai-agents/README.md', has: 'await run(clerk,', after: expectPrinted('Done.') },
  { path: 'packages/declarative/README.md', has: 'new ChatOpenAI(', after: expectPrinted('Done.') },
  {
    path: 'docs/adapters/vercel-ai.md',
    has: 'tools: { ...skills.tools, search_docs }',
    after: `if (result.text !== 'Done.' || result.steps[0]?.toolCalls[0]?.toolName !== 'load_skill') throw new Error(JSON.stringify(result.steps));`,
  },
  {
    path: 'docs/adapters/langchain.md',
    has: '.addTo(new StateGraph(State)',
    after: `import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
const state = await graph.invoke({ messages: [{ role: 'user', content: 'Go' }] } as never);
if (loadedSkills(state as never)[0]?.name !== 'refunds') throw new Error('Nothing is loaded.');`,
  },
  {
    path: 'docs/guide/cloudflare-workers.md',
    has: 'r2SkillStore(env.SKILLS)',
    before: `const env = { SKILLS: { get: async () => null, list: async () => ({}) } as never };
const waitUntil = (): void => {};
const skills: never[] = [];`,
    after: `if ((await skillset.open()).catalog.skills.length !== 0) throw new Error('The carrier is not there.');`,
  },
  { path: 'docs/guide/declarative.md', has: 'checkAgentFile', after: expectPrinted('Done.') },
  { path: 'docs/sources/http.md', has: 'await provider.listSkills()', after: expectPrinted('refunds: Refunds.') },
  {
    path: 'docs/sources/mcp.md',
    has: "new URL('https://crm.example/mcp'), { fetch: cappedFetch() }",
    after: expectPrinted('refunds: Refunds.'),
  },
  {
    path: 'docs/reference/cli.md',
    has: "'--check'",
    before: `import { run as write } from '@repertoire/cli';
await write(['bundle', 'skills', '--out', 'src/skills.gen.ts'], { stdout: { write: () => undefined } });`,
  },
];

/** What a snippet says that it prints: `console.log(…); // this`. */
export function saidToBePrinted(code: string): readonly string[] {
  return [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (?<said>.+)$/gm)].map(({ groups }) => groups?.['said'] ?? '');
}

/** Throws unless each of these was printed, in this order. */
export function expectPrinted(...lines: readonly string[]): string {
  return `{
  const { printed } = globalThis as unknown as { printed: string[] };
  let from = 0;
  for (const line of ${JSON.stringify(lines)}) {
    const at = printed.indexOf(line, from);
    if (at === -1) throw new Error(line + ' was not printed, but: ' + JSON.stringify(printed));
    from = at + 1;
  }
}`;
}
