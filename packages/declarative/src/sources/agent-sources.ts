import type { SkillProvider } from '@repertoire/skills-core';

/** What an entry of `skills` requests from a source. */
export interface AgentSkillRequest {
  /** Name of the skill; `undefined` for all skills of the place. */
  readonly id?: string | undefined;
  /** As written: exact, or a range. */
  readonly version?: string | undefined;
}

/** Opens a source that a file names. Returns `null` if the host does not allow it. */
export type OpenAgentSource = (location: URL, request: AgentSkillRequest) => SkillProvider | null | Promise<SkillProvider | null>;

/**
 * How places in a file become sources. Missing kinds are refused; providers say what is trusted.
 */
export interface AgentSources {
  /** For `skill_card_path`: opens the URL of a card. @default cards cannot be used */
  readonly card?: OpenAgentSource | undefined;
  /** For `folder`: opens the URL of a folder. @default folders cannot be used */
  readonly folder?: OpenAgentSource | undefined;
  /** For `url`: opens a URL. @default URLs cannot be used */
  readonly url?: OpenAgentSource | undefined;
}
