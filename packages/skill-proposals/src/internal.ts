// Shared by packages of this repository. Any release may change or remove it.
export { hiddenIn } from './risk/hidden-in.ts';
export { readRisks, type Risk, type RiskText } from './risk/read-risks.ts';
export { riskKinds } from './risk/risk-kinds.ts';
export { riskDiagnostic, risksOfSkill } from './risk/risks-of-skill.ts';
export { shownBytes } from './review/shown-bytes.ts';
export { contentToReview, isOpen, proposalOrders, proposalRow, type ProposalRow, type ReviewedLibrary } from './check/proposal-row.ts';
