// Anything added here is public API.
export { approvedRunner, type ApprovalAnswer, type ApprovalRequest } from './approved-runner.ts';
