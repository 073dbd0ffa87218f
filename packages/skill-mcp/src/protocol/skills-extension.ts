/**
 * The names of the MCP Skills extension (SEP-2640, final). The read side needs no more of it than these words, so that it brings no SDK along: the client, which speaks
 * the protocol, is the host's.
 */

/** What a server declares in `capabilities.extensions`. */
export const skillsExtensionId = 'io.modelcontextprotocol/skills';

/** One file of an entry. */
export interface McpSkillFile {
  readonly uri: string;
  /** `sha256:` and 64 digits of lower-case hex. */
  readonly digest: string;
  readonly size: number;
}

/** An entry of `skills/list`, as it comes: nothing in it has been checked. */
export interface McpSkillEntry {
  readonly uri?: unknown;
  readonly frontmatter?: unknown;
  readonly resources?: unknown;
}

/** Whether something is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
