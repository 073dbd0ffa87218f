import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';

/** What a source receives when a skill is loaded. */
export interface OpenSkillTools {
  /**
   * Identifies the conversation. Two conversations never share connections. Empty for a stateless
   * source outside of any conversation.
   */
  readonly conversation: string;
  /** Names that are taken. A tool with such a name must be prefixed. */
  readonly taken: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** Called with a diagnostic for each tool that cannot be loaded. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * A source of tools that come with a skill and leave with it. It decides by `skill.origin.trusted`
 * whether a skill may bring any.
 */
export interface SkillToolSource {
  /**
   * Whether nothing stays open, so that the source need not know the conversation.
   * @default false
   */
  readonly stateless?: boolean | undefined;
  /**
   * Opens the tools that a skill brings. Returns the same ones if they are open already.
   *
   * @throws {SkillError} `source-unavailable` and others. The skill is then not loaded, and the
   *   model reads the message
   */
  open(skill: SkillMetadata, request: OpenSkillTools): Promise<readonly StructuredToolInterface[]>;
  /**
   * Closes what a skill opened for a conversation, or everything if `skill` is omitted. A no-op if
   * nothing is open.
   */
  close(conversation: string, skill?: string): Promise<void>;
}
