import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { skillSurfaceMode, type SurfaceModeContext } from './resolve-surface-mode.ts';
import type { ConcreteSurfaceMode } from './surface-mode.ts';

/** Where the parts of a skill stand. */
export interface SkillSurface {
  /** Where its line of the catalog stands. */
  readonly catalog: { readonly systemPrompt: boolean; readonly toolDescription: boolean };
  /** Where its body stands. Without it, the load tool returns a short confirmation. */
  readonly body: { readonly systemPrompt: boolean; readonly toolResult: boolean };
}

/** Options of {@link surfaceOf}. */
export interface SurfaceOptions {
  /**
   * `tool-result`: every body comes as the result of the load tool, whatever the mode, so that
   * loading only appends and prompt caches hold. `with-catalog`: the body of a skill stands where
   * its line stands, so under `system-prompt` and `both` each load rewrites the system prompt, and
   * all that is cached behind it.
   * @default 'tool-result'
   */
  readonly instructions?: 'tool-result' | 'with-catalog' | undefined;
  /** The body of an untrusted skill never enters a system prompt. @default false */
  readonly trusted?: boolean | undefined;
}

/**
 * What a mode means.
 */
export function surfaceOf(mode: ConcreteSurfaceMode, options: SurfaceOptions = {}): SkillSurface {
  const systemPrompt = mode !== 'tool-only';
  const tool = mode !== 'system-prompt';
  const bodyInPrompt = systemPrompt && options.instructions === 'with-catalog' && options.trusted === true;
  return {
    catalog: { systemPrompt, toolDescription: tool },
    body: { systemPrompt: bodyInPrompt, toolResult: tool || !bodyInPrompt },
  };
}

/** Splits skills by mode, in order. Those of `both` are in both lists. */
export function splitCatalog(
  skills: readonly SkillMetadata[],
  context: SurfaceModeContext = {},
): { readonly systemPrompt: readonly SkillMetadata[]; readonly toolDescription: readonly SkillMetadata[] } {
  const places = skills.map((skill) => surfaceOf(skillSurfaceMode(skill, context)).catalog);
  return {
    systemPrompt: skills.filter((_, index) => places[index]?.systemPrompt),
    toolDescription: skills.filter((_, index) => places[index]?.toolDescription),
  };
}
