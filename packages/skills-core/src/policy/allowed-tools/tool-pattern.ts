/** One element of `allowed-tools`, taken apart. */
export interface ToolPattern {
  /** Name of the tool; may hold `*`. */
  readonly tool: string;
  /** What stands in parentheses; `undefined` where there are none. */
  readonly argument: string | undefined;
}

/** Matching takes time by the length, and patterns come from skills. */
const maxPatternLength = 1_000;

/** `Bash(git:*)` → `Bash` and `git:*`. `null` for what is no pattern. */
export function readToolPattern(pattern: string): ToolPattern | null {
  if (pattern.length > maxPatternLength) return null;
  const text = pattern.trim();
  const open = text.indexOf('(');
  if (open < 0) return text === '' || text.includes(')') ? null : { tool: text, argument: undefined };
  const tool = text.slice(0, open).trim();
  const argument = text.slice(open + 1, -1).trim();
  return tool === '' || argument === '' || !text.endsWith(')') ? null : { tool, argument };
}
