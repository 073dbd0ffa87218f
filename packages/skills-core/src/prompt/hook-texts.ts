import { errorForModel, quoteWord } from './source-words.ts';

/** What a hook stands at. */
export type SkillHookAction = 'load' | 'read' | 'unload';

const participles: Readonly<Record<SkillHookAction, string>> = { load: 'loaded', read: 'read', unload: 'unloaded' };

/** Why a hook that failed lets nothing through. */
export const hookFailedReason = 'a check of the host failed';

/** The answer to a call that a hook refuses. */
export function hookRefusalText(action: SkillHookAction, skill: string, path: string | undefined, reason: string): string {
  const what = path === undefined ? `Skill ${quoteWord(skill)}` : `${quoteWord(path)} of skill ${quoteWord(skill)}`;
  return `${what} may not be ${participles[action]} here${reason === '' ? '' : `: ${errorForModel(reason)}`}. Go on without it, or ask the user.`;
}
