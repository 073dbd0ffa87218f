import type { SkillSession } from '@repertoire/skills-core';

/** Sessions that are kept. A prompt that was pushed out is asked for again by its next step. */
const maxSessions = 256;

/**
 * The sessions of the latest model calls, by the system prompt that each produced: a model is told
 * its prompt, and not whose run calls it.
 */
export interface RecentSessions {
  get(prompt: string): SkillSession | undefined;
  set(prompt: string, session: SkillSession): void;
}

export function recentSessions(): RecentSessions {
  const known = new Map<string, SkillSession>();
  return {
    get: (prompt) => known.get(prompt),
    set(prompt, session) {
      known.delete(prompt);
      known.set(prompt, session);
      const [oldest] = known.keys();
      if (known.size > maxSessions && oldest !== undefined) known.delete(oldest);
    },
  };
}
