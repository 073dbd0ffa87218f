import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';

/** What a source of tools is told when a skill is loaded. */
export interface OpenSkillTools {
  /** Identifies the conversation; connections of two are never shared. Empty for a stateless source outside of any conversation. */
  readonly conversation: string;
  /** Names that are taken: a tool with one of them is to be prefixed. */
  readonly taken: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** Called with what could not be loaded. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/**
 * Where tools come from that arrive with a skill and leave with it. It decides by `skill.origin.trusted` whether a skill may bring anything.
 */
export interface SkillToolSource {
  /** Nothing of it is kept open, so it need not know the conversation. @default false */
  readonly stateless?: boolean | undefined;
  /**
   * The tools that a skill brings; the same again where they are open already.
   *
   * @throws {SkillError} `source-unavailable` and others; the skill is then not loaded, and the model reads the message
   */
  open(skill: SkillMetadata, request: OpenSkillTools): Promise<readonly StructuredToolInterface[]>;
  /** Closes what a skill brought to a conversation, or everything if no name is given. A no-op if nothing is open. */
  close(conversation: string, skill?: string): Promise<void>;
}
