import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { SkillListing, SkillOrigin } from '@repertoire/skills-core/provider';
import type { McpFoundFile, McpSkillFile } from '../protocol/skills-extension.ts';
import type { SkillUri } from '../protocol/skill-uri.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** The origin of a skill from an MCP server. */
export interface McpSkillOrigin extends SkillOrigin {
  /**
   * Whether each byte of the skill is checked against a promised size and SHA-256. `false` if the
   * server promised none: for a skill whose content is `"dynamic"`, and for one found among plain
   * resources without a manifest. It does not say whether the server is honest.
   */
  readonly verified: boolean;
}

/** A skill of a listing. */
export interface IndexedSkill {
  /** Level 1 with its origin. */
  readonly metadata: SkillMetadata & { readonly origin: McpSkillOrigin };
  readonly location: SkillUri;
  /** Its own name. The listed one differs where several skills have that name. */
  readonly ownName: string;
  /** The frontmatter that the server promised; `null` if there is only a resource. */
  readonly frontmatter: Readonly<Record<string, unknown>> | null;
  /** The files by path, including `SKILL.md`; `null` if the server promised none. */
  readonly files: ReadonlyMap<string, McpSkillFile> | null;
  /** Files that exist without a promised digest. Empty if `files` is not `null`. */
  readonly unverified: ReadonlyMap<string, McpFoundFile>;
  /** Entries with the same key make the same promises. */
  readonly key: string;
  /** What was repaired in its level 1, and whether its files are unverified. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Origin of a skill, from the host's options. */
export function originOf({ label, trusted }: McpSkillSettings, { root, uri }: SkillUri, verified: boolean): McpSkillOrigin {
  return { kind: 'mcp', label, uri: root, place: uri, trusted, verified };
}

/** The result of listing the server once. */
export interface McpListing {
  readonly skills: readonly IndexedSkill[];
  /** The listing for callers. Deep-frozen. */
  readonly listing: SkillListing;
  /** How long it may be used, according to the server. */
  readonly ttlMs: number | undefined;
  /** Whether the server stopped in the middle: other skills may exist. */
  readonly interrupted: boolean;
}
