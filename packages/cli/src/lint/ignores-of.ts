import type { LintSkill } from './lint-rule.ts';

/** A comment that switches rules off for the file that it stands in. */
export interface IgnoreComment {
  /** Path inside the skill; `null` for its `SKILL.md`. */
  readonly file: string | null;
  readonly rules: readonly string[];
  /** From 1. */
  readonly line: number;
}

const comment =
  // recheck: it starts with a fixed text, and each part is bounded.
  /(?:<!--|#|\/\/|\/\*)[ \t]{0,4}repertoire-ignore[ \t]{1,4}([a-z][a-z-]{0,40}(?:[ \t]{0,4},[ \t]{0,4}[a-z][a-z-]{0,40}){0,20})/g;

/**
 * The `repertoire-ignore` comments of a skill. They count in folders only, not in other sources.
 */
export function ignoresOf({ folder, text, files }: LintSkill): IgnoreComment[] {
  if (folder === null) return [];
  return [{ path: null, text }, ...files].flatMap(({ path: file, text: words }) => {
    if (words === null || !words.includes('repertoire-ignore')) return [];
    return Array.from(words.matchAll(comment), ({ index, 1: rules = '' }) => ({
      file,
      rules: rules.split(',').map((rule) => rule.trim()),
      line: words.slice(0, index).split('\n').length,
    }));
  });
}
