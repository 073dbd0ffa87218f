import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { ToolSet } from 'ai';

/** What a source receives when it is asked for the tools of a skill. */
export interface OpenSkillTools {
  readonly signal?: AbortSignal | undefined;
  /** Called with a diagnostic for each tool that cannot be loaded. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** The tools of a skill. */
export interface ToolsOfSkill {
  readonly tools: ToolSet;
  /** Closes the connections behind the tools. @default a no-op */
  close?(): Promise<void>;
}

/**
 * A source of tools of skills themselves. It decides by `skill.origin.trusted` whether a
 * skill may bring any, and returns `null` for none. The SDK must know every tool when a call
 * begins, so all skills are asked then. Their tools refuse until the skill is loaded.
 */
export type AiSdkToolSource = (skill: SkillMetadata, request: OpenSkillTools) => Promise<ToolsOfSkill | null>;
