import type { SkillToolContext } from './skill-tool.ts';

/** Reports a line of progress. An error of the listener is ignored. */
export function tellProgress({ onProgress }: SkillToolContext, line: string): void {
  try {
    onProgress?.(line);
  } catch {
    // The work goes on.
  }
}
