import type { ConcreteSurfaceMode } from './surface-mode.ts';

/** One line of the table behind `auto`. */
export interface SurfaceModeRule {
  /** Which models, in words. */
  readonly models: string;
  /** Whether it is one of them. Both are lower case, and `''` where they are not known. */
  readonly matches: (provider: string, model: string) => boolean;
  readonly mode: ConcreteSurfaceMode;
  /** Why this mode. */
  readonly because: string;
  /** When the line was last looked at, as a date. */
  readonly checked: string;
}

/**
 * What `auto` resolves to; the first matching line decides. It describes common practice and is not a measurement of this project: models change, so measure
 * yours, and set a mode if it matters. A host gives its own table to `resolveSurfaceMode`.
 */
export const surfaceModes: readonly SurfaceModeRule[] = Object.freeze([
  {
    models: 'Claude 3.5 and later',
    matches: (provider, model) => {
      const version = claudeVersion(model);
      if (version !== null) return version >= 3.5;
      return model.includes('claude') ? !/claude-(?:instant|v1)/.test(model) : provider.startsWith('anthropic');
    },
    mode: 'both',
    because: 'They follow a long system prompt closely, and the copy in the tools stays near in long conversations.',
    checked: '2026-11-21',
  },
  {
    models: 'every other',
    matches: () => true,
    mode: 'tool-only',
    because: "A tool's description is read where its call is decided, which every provider trains.",
    checked: '2026-11-21',
  },
] satisfies SurfaceModeRule[]);

/** `3.5` of `claude-3-5-sonnet-20241022`, `us.anthropic.claude-3-5-sonnet-20241022-v2:0`, `claude-sonnet-4.5@latest`; `null` where no version stands in it. */
function claudeVersion(model: string): number | null {
  // Eight digits are a date, and no part of a version.
  // recheck: only 200 characters are looked at.
  const match = /claude[-_ ]?(?:[a-z]+[-_ ])*v?(\d{1,2})(?!\d)(?:[.-](\d{1,2})(?!\d))?/.exec(model.slice(0, 200));
  if (match === null) return null;
  return Number(match[1]) + Number(match[2] ?? 0) / 10;
}
