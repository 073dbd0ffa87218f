import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { surfaceModeOf, type ConcreteSurfaceMode, type SkillSurfaceMode } from './surface-mode.ts';
import { surfaceModes, type SurfaceModeRule } from './surface-modes.ts';

/**
 * What `auto` means for a provider and a model: the first line of {@link surfaceModes} that matches. Names are compared without regard to case; leave out what
 * is not known.
 *
 * @example
 * ```ts
 * import { resolveSurfaceMode } from '@repertoire/skills-core/adapter';
 *
 * resolveSurfaceMode('anthropic', 'claude-sonnet-4-5-20250929'); // 'both'
 * resolveSurfaceMode('openai', 'gpt-4o'); // 'tool-only'
 * ```
 */
export function resolveSurfaceMode(
  provider?: string,
  model?: string,
  table: readonly SurfaceModeRule[] = surfaceModes,
): ConcreteSurfaceMode {
  const [providerName, modelName] = [provider?.toLowerCase() ?? '', model?.toLowerCase() ?? ''];
  return table.find((rule) => rule.matches(providerName, modelName))?.mode ?? 'tool-only';
}

/** What is known when a mode is decided. */
export interface SurfaceModeContext {
  /** The mode of the registry or the skillset. @default 'auto' */
  readonly mode?: SkillSurfaceMode | undefined;
  /** The provider of the model: `anthropic`, `openai`. @default not known */
  readonly provider?: string | undefined;
  /** The model: `claude-sonnet-4-5`. @default not known */
  readonly model?: string | undefined;
  /** The table behind `auto`. @default surfaceModes */
  readonly table?: readonly SurfaceModeRule[] | undefined;
}

/** The mode of one skill: its own, else the registry's, else what `auto` means for the model. `auto` at any level falls through to the next. */
export function skillSurfaceMode(skill: SkillMetadata, context: SurfaceModeContext = {}): ConcreteSurfaceMode {
  for (const mode of [surfaceModeOf(skill), context.mode]) {
    if (mode !== undefined && mode !== 'auto') return mode;
  }
  return resolveSurfaceMode(context.provider, context.model, context.table);
}
