/** Codes for what no agent reads in a folder: links, hidden, unreadable or deep folders. */
export const skippedCode: RegExp = /^(?:link-|hard-link-|folder-|skill-file-|skills-|skill-among-|resources-|discovery-|card-)/;
