// Anything added here is public API: what adapters and hosts need that read or keep the state of a conversation.
export { fingerprint } from './state/fingerprint.ts';
export { hostCallId } from './state/host-call.ts';
export { skillsDueForRefresh, type SkillRefreshPolicy } from './state/refresh.ts';
export { parseSkillState } from './state/parse-skill-state.ts';
export { revisionOf } from './state/revision.ts';
export { skillInjectionTag, withdrawSkillText, type SkillInjectionTag } from './state/skill-injection.ts';
export { loadedSkill, loadedSkillNames, reduceSkillState, type LoadedSkill, type SkillActivation } from './state/skill-state.ts';
export { recordSkillEvents, type SkillStateBox } from './state/skill-state-box.ts';
export { skillStateSeal, type SkillStateSeal } from './state/skill-state-seal.ts';
export { skillStateInContext } from './state/state-in-context.ts';
export {
  eventOf as skillEventOf,
  skillStateFromTranscript,
  type SkillTranscriptEntry,
  type SkillTranscriptOptions,
} from './state/transcript.ts';
export { lengthOfTurns, type PutBackOptions, type PutBackSkill, type SkillTurn } from './tools/activation/put-back-skills.ts';
export type { ReattachedSkill, Reattachment, ReattachOptions } from './tools/activation/reattach-skills.ts';
export { parseSkillCommand, userInvocableSkills, type SkillCommand } from './tools/activation/user-invocation.ts';
