import type { SkillProvider } from '@repertoire/skills-core';

/** What an entry of `skills` asks a source for. */
export interface AgentSkillRequest {
  /** The skill. `undefined` for all skills of the place. */
  readonly id?: string | undefined;
  /** As written: exact, or a range. */
  readonly version?: string | undefined;
}

/** Opens what a file names: `null` where the host does not allow it. */
export type OpenAgentSource = (location: URL, request: AgentSkillRequest) => SkillProvider | null | Promise<SkillProvider | null>;

/**
 * How the places that a file names become sources of skills. A file can only name places; what is not here cannot be opened. The provider that is returned says whether
 * its skills are trusted.
 */
export interface AgentSources {
  /** For `skill_card_path`: the URL of the card. @default cards cannot be used */
  readonly card?: OpenAgentSource | undefined;
  /** For `folder`: the URL of the folder. @default folders cannot be used */
  readonly folder?: OpenAgentSource | undefined;
  /** For `url`. @default URLs cannot be used */
  readonly url?: OpenAgentSource | undefined;
}
