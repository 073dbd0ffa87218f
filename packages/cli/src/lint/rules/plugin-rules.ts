import type { LintRule } from '../lint-rule.ts';

// What checks plugins says what these find: see `pluginFindings`.

/** A plugin that is not loaded as it was written. */
export const invalidPlugin: LintRule = {
  id: 'invalid-plugin',
  kind: 'correctness',
  severity: 'error',
  summary: 'Clients refuse a plugin, or leave out some of its skills or servers.',
};

/** A plugin that works and could be better. */
export const pluginAdvice: LintRule = {
  id: 'plugin-advice',
  kind: 'correctness',
  severity: 'warning',
  summary: 'A plugin is loaded, and has an unknown field, no version or description, or a secret that everybody can read.',
};
