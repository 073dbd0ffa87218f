import type { Skill } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { AskedSkill } from '../../policy/approvals/skill-question.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import { loadedSkill, type SkillState } from '../../state/skill-state.ts';
import { looksAt } from './code-tool-calls.ts';
import { answerOf, ask, asError, callKey, type OpenedApprovals } from './opened-approvals.ts';
import { askedLoaded, askedSkill, withId } from './question-of-load.ts';
import { grantsOf } from './remembered-answers.ts';
import type { ReadContext } from './session-approvals.ts';

/** Judges a read of a skill that is not loaded: of a loaded one it was asked when it was loaded. */
export async function approveRead(
  opened: OpenedApprovals,
  skill: Skill,
  { state, tool, input, callId, onlyAsk }: ReadContext,
): Promise<void> {
  const { host, records, scope, hasCodeTools } = opened;
  const grants = await grantsOf(opened, skill, skill.content);
  if (!grants.has('load') || (hasCodeTools && !grants.has('code-tools')))
    throw new SkillError('needs-approval', approvalTexts.loadFirst(skill.name, host.names.load), { skill: skill.name });
  const target = askedSkill(skill, skill.content ?? null);
  const others = await loadedOfOthers(opened, state, target.source);
  if (others.length === 0) return;
  const question = withId(scope, { kind: 'read', tool, input, skills: [...others, target], grants: [], canRemember: false });
  if ((await answerOf(opened, question, callId)) === undefined) throw asError(ask(opened, question, callId, { loads: [] }));
  // Each call is asked about.
  if (onlyAsk !== true) await records.delete(callKey('answered', scope, callId));
}

/** The loaded skills of other sources whose text may have asked for the read. */
async function loadedOfOthers(opened: OpenedApprovals, state: SkillState, source: string): Promise<readonly AskedSkill[]> {
  const looks = await looksAt(opened, state);
  return looks.flatMap(({ name, skill }) => {
    const entry = loadedSkill(state, name);
    const needsPerson = skill === undefined ? entry?.untrusted === true : opened.needed(skill).length > 0;
    if (entry === undefined || !needsPerson || entry.source === source) return [];
    return [askedLoaded(name, entry)];
  });
}
