/**
 * Codes of sources for what lies in a place and no agent reads: links that lead out of it, folders
 * that cannot be read, that are hidden or too deep, files beside others.
 */
export const skippedCode: RegExp = /^(?:link-|hard-link-|folder-|skill-file-|skills-|skill-among-|resources-|discovery-|card-)/;
