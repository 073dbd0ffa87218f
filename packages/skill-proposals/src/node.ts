// Anything added here is public API.
export { folderProposalStore } from './node/folder-proposal-store.ts';
