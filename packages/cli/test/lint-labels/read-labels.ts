import { readFileSync } from 'node:fs';

/** What a reader said of one finding in published skills. No text of a skill is kept: the skill is named by its digest. */
export interface LintLabel {
  /** `tuning`: rules were changed by it. `held out`: it was read when the rules were as they are. By the digest of the skill, so nobody chose. */
  readonly half: 'tuning' | 'held out';
  readonly rule: string;
  /** First 16 digits of the SHA-256 of the `SKILL.md`. */
  readonly skill: string;
  /** Path inside the skill; `null` for its `SKILL.md`. */
  readonly file: string | null;
  readonly line: number | null;
  /** First 8 digits of the SHA-256 of what the message quotes first. */
  readonly about: string;
  readonly verdict: 'right' | 'wrong' | 'arguable';
  /** Why, in words of ours. */
  readonly note: string;
}

const file = new URL('labels.jsonl', import.meta.url);

export function readLabels(): readonly LintLabel[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LintLabel);
}
