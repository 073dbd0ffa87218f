/** Names of the MCP Skills extension (SEP-2640). The host's client speaks the protocol. */

/** What a server declares in `capabilities.extensions`. */
export const skillsExtensionId = 'io.modelcontextprotocol/skills';

/** One file of an entry. */
export interface McpSkillFile {
  readonly uri: string;
  /** `sha256:` and 64 digits of lower-case hex. */
  readonly digest: string;
  readonly size: number;
}

/** An unchecked entry of `skills/list`. */
export interface McpSkillEntry {
  readonly uri?: unknown;
  readonly frontmatter?: unknown;
  readonly resources?: unknown;
}

/** What is known about a file that has no promised digest. */
export interface McpFoundFile {
  readonly uri: string;
  readonly size?: number | undefined;
  /** Description of the file, from the server. */
  readonly description?: string | undefined;
}

/** What a resource of a listing says about itself. */
export function foundFile({ uri, size, description }: Readonly<Record<string, unknown>>): McpFoundFile {
  return {
    uri: String(uri),
    ...(typeof size === 'number' && size >= 0 && { size }),
    ...(typeof description === 'string' && description.trim() !== '' && { description: description.trim().slice(0, maxDescription) }),
  };
}

/** More does not fit on one line. */
const maxDescription = 1_024;
