import type { SkillToolContext } from './skill-tool.ts';

/** Tells a line of progress. A display that breaks must not break the work. */
export function tellProgress({ onProgress }: SkillToolContext, line: string): void {
  try {
    onProgress?.(line);
  } catch {
    // The work goes on.
  }
}
