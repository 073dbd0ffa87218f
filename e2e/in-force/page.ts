import { conditions } from './world.ts';

/** `docs/reference/in-force.md`, of what was tried. */
export function inForcePage(cells: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const row = (words: readonly string[]): string => `| ${words.join(' | ')} |`;
  const rows = [...cells].map(([use, outcomes]) => row([use, ...conditions.map((condition) => outcomes.get(condition) ?? '')]));
  return `# What a loaded skill gives, and when not

Every use of a skill, and everything that may stand in its way, each tried on a session with
scripts, workflows, search, hooks, permissions and approvals. The test \`e2e/in-force.test.ts\` fills
the cells and writes this page; no cell is empty, and the test holds the rules below.

${row(['use', ...conditions])}
${row(['use', ...conditions].map(() => '---'))}
${rows.join('\n')}

- **as loaded**: the bytes of the content that the conversation loaded, from the memory of the
  process or of \`conversation.contentStore\`. **as it is now**: the present content, which is then
  what is loaded.
- A loaded skill never gives bytes of another content, and opens nothing while anything stands in
  its way. A *restriction* never ends by a change; it ends by an unload, and is none where nobody
  approved it.
- Texts and files of the last good copy are served while a source is away; what a skill opens,
  pre-approves and chooses counts only while its source answered less than
  \`gates.maxListingAgeMs\` ago.
- *Another name is claimed*: a state of a client that has the skill under the name of another one.
  *A hook refuses*: \`beforeLoad\` and \`beforeRead\`, which are asked about what a model reads, and
  about nothing else.
`;
}
