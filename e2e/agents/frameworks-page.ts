import type { AgentOutcome } from './conversation.ts';

/** `docs/reference/frameworks.md`, of what was measured. */
export function frameworksPage(outcomes: readonly AgentOutcome[]): string {
  const rows = outcomes.map(
    ({ framework, by, listed, tokens, gotBody, gotFile, earlyRefund, lateRefund }) =>
      `| ${[framework, by, listed, tokens, gotBody ? 'yes' : 'no', gotFile ? 'yes' : 'no', `**${earlyRefund}**`, lateRefund].join(' | ')} |`,
  );
  return `# One library on every framework

The same five skills and the same scripted conversation, on the frameworks themselves. The model
tries to pay back an order before it loads the skill that opens the tool, then loads the skill,
reads its file, and pays. The test \`e2e/agents/agents.test.ts\` plays it and writes this page.

| framework | by | skills listed | tokens of the first request | got the instructions | got the file | paid before the skill was loaded | paid after it |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

- *Tokens*: system prompt and tools, estimated. They hold what the framework says by itself; Deep
  Agents brings file tools and a long prompt, a sandbox brings a shell.
- *skills listed*: in the first request. Agents of Google ADK 2.0 do not put the catalog into it;
  the model has to call \`list_skills\`.
- *refused*: the tool did not run. An adapter enforces the gate in the tool's own execution. Behind
  a [bridge](../guide/bridges.md) **nothing does**, and the library reports \`bridge-not-gated\`.
- TanStack AI was played through \`chat\` of \`@tanstack/ai\` with a middleware that does what the
  documentation of \`withSkills\` says: its package is not published.
- The Claude Agent SDK, Codex and eve read folders that \`/files\` writes. They cannot be played
  without a key or a build of their own, and are not in the table. The SDK lists the skills of a
  plugin and of a project without a key; \`e2e/agents/claude-agent-sdk.test.ts\` tries it where the
  SDK is installed.
`;
}
