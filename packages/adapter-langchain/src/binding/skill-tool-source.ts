import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';

/** What a source receives when a skill is loaded. */
export interface OpenSkillTools {
  /** Identifies the conversation, whose connections are its own. Empty for stateless sources. */
  readonly conversation: string;
  /** Names that are taken. A tool with such a name must be prefixed. */
  readonly taken: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** Called with a diagnostic for each tool that cannot be loaded. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** Tools that come with a skill and leave with it, judged by `skill.origin.trusted`. */
export interface SkillToolSource {
  /** Whether nothing stays open, so that no conversation is needed. @default false */
  readonly stateless?: boolean | undefined;
  /**
   * Opens the tools of a skill. Returns the same ones if they are open already.
   *
   * @throws {SkillError} `source-unavailable` and others. The skill is then not loaded, and the
   *   model reads the message
   */
  open(skill: SkillMetadata, request: OpenSkillTools): Promise<readonly StructuredToolInterface[]>;
  /** Closes what a skill opened, or everything if `skill` is omitted. */
  close(conversation: string, skill?: string): Promise<void>;
}
