// Anything added here is public API: scripts and snippets of skills in sessions.
export {
  describeScripts,
  isScript,
  scriptExtensions,
  type DescribeScriptsOptions,
  type SkillScript,
} from './tools/scripts/describe-scripts.ts';
export { expandSnippets, type ExpandedSnippets, type ExpandSnippetsOptions } from './tools/scripts/expand-snippets.ts';
export { findSnippets, type SkillSnippet } from './tools/scripts/find-snippets.ts';
export { formatScriptResult, type FormatScriptResultOptions } from './tools/scripts/format-script-result.ts';
export { skillScripts } from './tools/scripts/skill-scripts.ts';
export type { SkillScriptsOptions } from './tools/scripts/skill-scripts-options.ts';
export { scriptSummary } from './tools/scripts/script-summary.ts';
