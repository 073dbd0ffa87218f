// Anything added here is public API.
export { checkChange, type CheckChangeInput, type CheckedChange } from './check/check-change.ts';
export type { NewlyAllowed, ProposalFinding } from './check/proposal-finding.ts';
