import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { surfaceModeOf, type ConcreteSurfaceMode, type SkillSurfaceMode } from './surface-mode.ts';

/**
 * Returns what `auto` means for a provider and a model: `both` for Claude 3.5 and later,
 * `tool-only` for every other. Names are compared without regard to case; leave out what is not
 * known. It describes common practice and is not a measurement of this project: models change, so
 * measure yours, and set a mode if it matters.
 *
 * @example
 * ```ts
 * import { resolveSurfaceMode } from '@repertoire/skills-core';
 *
 * resolveSurfaceMode('anthropic', 'claude-sonnet-4-5-20250929'); // 'both'
 * resolveSurfaceMode('openai', 'gpt-4o'); // 'tool-only'
 * ```
 */
export function resolveSurfaceMode(provider = '', model = ''): ConcreteSurfaceMode {
  const name = model.toLowerCase();
  const version = claudeVersion(name);
  if (version !== null) return version >= 3.5 ? 'both' : 'tool-only';
  const isCurrent = name.includes('claude') ? !/claude-(?:instant|v1)/.test(name) : provider.toLowerCase().startsWith('anthropic');
  return isCurrent ? 'both' : 'tool-only';
}

/** What is known when a mode is decided. */
export interface SurfaceModeContext {
  /** The mode of the registry or the skillset. @default 'auto' */
  readonly mode?: SkillSurfaceMode | undefined;
  /** The provider of the model: `anthropic`, `openai`. @default not known */
  readonly provider?: string | undefined;
  /** The model: `claude-sonnet-4-5`. @default not known */
  readonly model?: string | undefined;
}

/** The mode of a skill: its own, else the registry's, else the model's. `auto` falls through. */
export function skillSurfaceMode(skill: SkillMetadata, context: SurfaceModeContext = {}): ConcreteSurfaceMode {
  for (const mode of [surfaceModeOf(skill), context.mode]) {
    if (mode !== undefined && mode !== 'auto') return mode;
  }
  return resolveSurfaceMode(context.provider, context.model);
}

/** `3.5` of `claude-3-5-sonnet-20241022` or `claude-sonnet-4.5@latest`; `null` without one. */
function claudeVersion(model: string): number | null {
  // Eight digits are a date, and no part of a version.
  // recheck: only 200 characters are looked at.
  const match = /claude[-_ ]?(?:[a-z]+[-_ ])*v?(\d{1,2})(?!\d)(?:[.-](\d{1,2})(?!\d))?/.exec(model.slice(0, 200));
  if (match === null) return null;
  return Number(match[1]) + Number(match[2] ?? 0) / 10;
}
