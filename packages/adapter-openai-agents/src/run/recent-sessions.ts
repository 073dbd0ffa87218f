import type { SkillSession } from '@repertoire/skills-core';

const maxSessions = 256;

/** Sessions by system prompt: a model is not told whose run calls it. */
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
