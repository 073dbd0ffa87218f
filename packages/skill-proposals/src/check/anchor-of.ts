import type { SkillFilesByPath } from '../proposal/skill-proposal.ts';
import { filesOfKept } from '../review/kept-files.ts';
import { statusOf, type SkillProposalDecision, type SkillProposalStore } from '../store/skill-proposal-store.ts';

const mostSteps = 10;

/**
 * The files of a skill before its accepted changes since a person last read it whole, at most ten;
 * `undefined` if there are none. A change that is small by itself is compared with them.
 */
export async function anchorOf(store: SkillProposalStore, skill: string): Promise<SkillFilesByPath | undefined> {
  const accepted: Extract<SkillProposalDecision, { type: 'accepting' }>[] = [];
  for (const id of await store.list()) {
    // An id begins with the name of the skill.
    if (!id.startsWith(`${skill}-`)) continue;
    const record = await store.read(id).catch(() => null);
    if (record === null || record.proposal.skill !== skill || statusOf(record) !== 'accepted') continue;
    const begun = record.decisions.findLast((decision) => decision.type === 'accepting');
    if (begun !== undefined) accepted.push(begun);
  }
  accepted.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const sinceRead = accepted.findIndex(({ wholeRead }) => wholeRead);
  const steps = accepted.slice(0, Math.min(mostSteps, sinceRead === -1 ? mostSteps : sinceRead));
  const first = steps.at(-1)?.before;
  return first === undefined || first === null ? undefined : filesOfKept(first.files);
}
