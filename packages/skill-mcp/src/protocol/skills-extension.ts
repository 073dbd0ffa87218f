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

/** What is known of a file that was not promised. */
export interface McpFoundFile {
  readonly uri: string;
  readonly size?: number | undefined;
  /** What the server says that it is for. */
  readonly description?: string | undefined;
}

/** What a resource of a listing says of itself. */
export function foundFile({ uri, size, description }: Readonly<Record<string, unknown>>): McpFoundFile {
  return {
    uri: String(uri),
    ...(typeof size === 'number' && size >= 0 && { size }),
    ...(typeof description === 'string' && description.trim() !== '' && { description: description.trim().slice(0, maxDescription) }),
  };
}

/** More than one line can use. */
const maxDescription = 1_024;

/** Whether something is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
