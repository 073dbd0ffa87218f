import type { SkillDiagnostic, SkillListing, SkillMetadata, SkillOrigin } from '@repertoire/skills-core';
import type { McpFoundFile, McpSkillFile } from '../protocol/skills-extension.ts';
import type { SkillUri } from '../protocol/skill-uri.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** The origin of a skill from an MCP server. */
export interface McpSkillOrigin extends SkillOrigin {
  /**
   * Whether each byte of the skill is checked against size and SHA-256 that the server promised. `false` where it promised none: a skill whose content is `"dynamic"`, and
   * one found among plain resources without a manifest. It says nothing of whether the server means well.
   */
  readonly verified: boolean;
}

/** A skill of a listing. */
export interface IndexedSkill {
  /** Level 1 with its origin. */
  readonly metadata: SkillMetadata & { readonly origin: McpSkillOrigin };
  readonly location: SkillUri;
  /** The frontmatter that the server promised; `null` where there is only a resource. */
  readonly frontmatter: Readonly<Record<string, unknown>> | null;
  /** The files by path, `SKILL.md` among them; `null` where the server promised none. */
  readonly files: ReadonlyMap<string, McpSkillFile> | null;
  /** Files that are known to be there without a promise. Empty where `files` is not. */
  readonly unverified: ReadonlyMap<string, McpFoundFile>;
  /** Two entries with the same key promise the same. */
  readonly key: string;
  /** What was repaired in its level 1, and that nothing promises its files. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Where a skill came from, in the words of the host. */
export function originOf({ label, trusted }: McpSkillSettings, { root }: SkillUri, verified: boolean): McpSkillOrigin {
  return { kind: 'mcp', label, uri: root, trusted, verified };
}

/** What one look at the server gave. */
export interface McpListing {
  readonly skills: readonly IndexedSkill[];
  /** The same as callers get it. Deep-frozen. */
  readonly listing: SkillListing;
  /** The server's word for how long it may be used. */
  readonly ttlMs: number | undefined;
  /** Whether the server stopped in the middle: what is not in `skills` is then not unknown. */
  readonly interrupted: boolean;
}
