import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import type { ToolSet } from 'ai';

/** What a source is told when it is asked for the tools of a skill. */
export interface OpenSkillTools {
  readonly signal?: AbortSignal | undefined;
  /** Called with what could not be loaded. */
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** What a skill brings. */
export interface BroughtTools {
  readonly tools: ToolSet;
  /** Closes what is behind them. @default a no-op */
  close?(): Promise<void>;
}

/**
 * Where tools come from that skills bring themselves. It decides by `skill.origin.trusted` whether a skill may bring anything, and answers `null` where it brings
 * nothing. The SDK must know every tool when a call begins, so all skills are asked then; their tools refuse until the skill is loaded.
 */
export type AiSdkToolSource = (skill: SkillMetadata, request: OpenSkillTools) => Promise<BroughtTools | null>;
