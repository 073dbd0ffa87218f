// Anything added here is public API.
export { anchorOf } from './check/anchor-of.ts';
export { checkChange, type CheckChangeInput, type CheckedChange } from './check/check-change.ts';
export { newlyAllowed } from './check/newly-allowed.ts';
export type { NewlyAllowed, ProposalFinding } from './check/proposal-finding.ts';
export { createSkillProposal, type SkillProposalInput } from './proposal/create-skill-proposal.ts';
export { parseSkillProposal } from './proposal/parse-skill-proposal.ts';
export type { ProposedFile, SkillEdit, SkillFilesByPath, SkillProposal, SkillProposalBase } from './proposal/skill-proposal.ts';
export { memoryProposalStore } from './store/memory-proposal-store.ts';
export { unstorageProposalStore, type ProposalStorageLike } from './store/unstorage-proposal-store.ts';
export {
  statusOf,
  type KeptFile,
  type SkillProposalDecision,
  type SkillProposalRecord,
  type SkillProposalStatus,
  type SkillProposalStore,
} from './store/skill-proposal-store.ts';
export { skillProposals, type SkillProposalsOptions, type SkillProposer } from './tool/skill-proposals.ts';
export { acceptProposal, type AcceptProposalOptions } from './review/accept-proposal.ts';
export { proposedContent, type ProposedContent } from './review/proposed-content.ts';
export { rejectProposal, type RejectProposalOptions } from './review/reject-proposal.ts';
export { undoProposal, type UndoProposalOptions } from './review/undo-proposal.ts';
