// Anything added here is public API.
export type { SkillFilesByPath, SkillProposal } from './proposal/skill-proposal.ts';
export { memoryProposalStore } from './store/memory-proposal-store.ts';
export { unstorageProposalStore, type ProposalStorageLike } from './store/unstorage-proposal-store.ts';
export {
  statusOf,
  type SkillProposalDecision,
  type SkillProposalRecord,
  type SkillProposalStatus,
  type SkillProposalStore,
} from './store/skill-proposal-store.ts';
export { skillProposals, type SkillProposalsOptions } from './tool/skill-proposals.ts';
export { acceptProposal, type AcceptProposalOptions } from './review/accept-proposal.ts';
export { proposedContent, type ProposedContent } from './review/proposed-content.ts';
export { rejectProposal, type RejectProposalOptions } from './review/reject-proposal.ts';
export { restoredContent, undoProposal, type RestoredContent, type UndoProposalOptions } from './review/undo-proposal.ts';
