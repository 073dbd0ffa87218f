export type {
  SkillCommandRequest,
  SkillConfinement,
  SkillConfinementAspect,
  SkillRunner,
  SkillRunOptions,
  SkillRunRequest,
  SkillRunResult,
  SkillScriptRequest,
  SkillWrittenFile,
} from './contract/skill-runner.ts';
export { applyArguments, type ArgumentTaker } from './tools/arguments/apply-arguments.ts';
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
export type { ExpandedBody, SkillScripts } from './tools/tool-environment.ts';
