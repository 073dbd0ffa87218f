// Anything added here is public API: what adapters and hosts need that judge calls, run forks, or open the tools that skills bring.
export {
  allowedToolsDecision,
  type AllowedToolsDecision,
  type AllowedToolsPolicy,
  type AllowedToolsRequest,
} from './policy/allowed-tools/allowed-tools-decision.ts';
export { isSimpleCommand, type CommandShell } from './policy/allowed-tools/match-command.ts';
export { matchesAllowedTool, type AllowedToolCall, type AllowedToolOptions } from './policy/allowed-tools/matches-allowed-tool.ts';
export { freeToolName } from './policy/brought-tools/free-tool-name.ts';
export { broughtToolsFailed } from './policy/brought-tools/brought-tools-failed.ts';
export {
  localSkillTools,
  type LocalSkillToolKind,
  type LocalSkillToolOptions,
  type LocalSkillTools,
} from './policy/brought-tools/local-skill-tools.ts';
export { toolsInCode } from './policy/brought-tools/tools-in-code.ts';
export type { SkillFork } from './policy/fork.ts';
export { forkFailureText, forkResultText, type ForkResultOptions } from './policy/fork-result.ts';
export type { GatedTools } from './policy/gates.ts';
export { missingTools, type MissingToolsPolicy } from './policy/missing-tools.ts';
export { sourceFailed } from './errors/source-failed.ts';
export { unknownModel } from './policy/model-override.ts';
export type { SkillPermissionAnswer, SkillPermissionRequest } from './policy/permissions.ts';
export {
  assertNoReservedToolNames,
  defaultSkillToolNames,
  resolveSkillToolNames,
  skillToolNamePresets,
  type SkillToolNames,
  type SkillToolRole,
} from './prompt/tool-names.ts';
export type { SkillActivityListener, SkillActor, SkillIdentity } from './events/skill-activity.ts';
export type { SkillCatalogOptions } from './catalog/build-catalog.ts';
export type { SkillGuidance } from './prompt/model-texts.ts';
export { catalogCuts, catalogLines, type CatalogCut } from './catalog/catalog-lines.ts';
export { newestOfEach } from './catalog/skill-catalog.ts';
export { resolveSurfaceMode, type SurfaceModeContext } from './catalog/surface/resolve-surface-mode.ts';
export type { ConcreteSurfaceMode, SkillSurfaceMode } from './catalog/surface/surface-mode.ts';
export { surfaceModes, type SurfaceModeRule } from './catalog/surface/surface-modes.ts';
export { arrangeTools, type ArrangeToolsInput } from './skillset/arrange-tools.ts';
export { adapterReporter, type AdapterReporter } from './skillset/adapter-reporter.ts';
export { skillsetOf } from './skillset/skillset-of.ts';
export type { SkillToolDescription } from './tools/describe-tool.ts';
export type { SkillToolSurface } from './tools/skill-tools.ts';
export type { SkillReadLimits } from './tools/tool-environment.ts';
