import type { SkillMetadata } from '../../contract/skill-provider.ts';

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
