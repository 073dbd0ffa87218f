// Anything added here is public API: scripts and snippets of skills in sessions.
export { expandSnippets, type ExpandedSnippets, type ExpandSnippetsOptions } from './scripts/expand-snippets.ts';
export { skillScripts, type SkillScriptsOptions } from './scripts/skill-scripts.ts';
