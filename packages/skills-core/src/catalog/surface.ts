import type { SkillMetadata } from '../contract/skill-provider.ts';

/**
 * Where a model sees a skill.
 *
 * - `system-prompt`: in the system prompt.
 * - `tool-only`: in the tools alone: the description of the load tool, and its results.
 * - `both`: in both places.
 * - `auto`: as the provider and the model do best; see `resolveSurfaceMode`.
 */
export type SkillSurfaceMode = ConcreteSurfaceMode | 'auto';

/** A mode that is decided. */
export type ConcreteSurfaceMode = 'system-prompt' | 'tool-only' | 'both';

/** Fields of a frontmatter that a mode is read from, the first that is there. */
const fieldNames = ['surface-mode', 'surfaceMode', 'surface_mode'] as const;

/** Whether a value is one of the four modes. */
export function isSurfaceMode(value: unknown): value is SkillSurfaceMode {
  return value === 'system-prompt' || value === 'tool-only' || value === 'both' || value === 'auto';
}

/**
 * The mode that a skill asks for: `surfaceMode` of a skill in code, or `surface-mode` in a
 * frontmatter. `undefined` where it asks for none, for one that does not exist, or where its source
 * is not trusted: the host decides where a text is placed, and the system prompt weighs more than a
 * tool's result.
 */
export function surfaceModeOf(skill: SkillMetadata): SkillSurfaceMode | undefined {
  const { origin, surfaceMode, fields } = skill;
  if (origin?.trusted !== true) return undefined;
  const written = fields === undefined ? undefined : fieldNames.find((name) => fields[name] !== undefined);
  const asked = surfaceMode ?? (written === undefined ? undefined : fields?.[written]);
  return isSurfaceMode(asked) ? asked : undefined;
}

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

/** Where the parts of a skill stand. */
export interface SkillSurface {
  /** Where its line of the catalog stands. */
  readonly catalog: { readonly systemPrompt: boolean; readonly toolDescription: boolean };
  /** Where its body stands. Without it, the load tool returns a short confirmation. */
  readonly body: { readonly systemPrompt: boolean; readonly toolResult: boolean };
}

/** Options of {@link surfaceOf}. */
interface SurfaceOptions {
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
