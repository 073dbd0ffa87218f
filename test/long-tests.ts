/** The test files that take longest, the longest first. They begin before all others, so that no worker is left alone with one at the end. */
export const longTests: readonly string[] = [
  'e2e/packages/temporal.test.ts',
  'e2e/packages/package-managers.test.ts',
  'e2e/skill-mcp.test.ts',
  'e2e/worker-langgraph.test.ts',
  'e2e/worker-agent.test.ts',
  'e2e/durable-cloudflare.test.ts',
  'e2e/skill-storage.test.ts',
  'e2e/packages/types.test.ts',
  'e2e/packages/examples.test.ts',
  'packages/skill-workflow/test/embedded.test.ts',
  'test/repo/snippet-runs.test.ts',
  'e2e/parity.test.ts',
  'e2e/durable-dbos.test.ts',
  'test/repo/snippets.test.ts',
];
