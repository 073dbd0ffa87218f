// Anything added here is public API.
export type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillFieldValue,
  SkillMetadata,
  SkillOrigin,
  SkillProvider,
  SkillResource,
  SkillResourceEntry,
  SkillResourceKind,
} from './contract/skill-provider.ts';
export { SkillError, skillErrorCodes, type SkillErrorCode, type SkillErrorDetails } from './errors/skill-error.ts';
export { abortable } from './providers/abortable.ts';
export { inCodeSkillProvider, type InCodeSkillProviderOptions } from './providers/in-code-skill-provider.ts';
export { compareVersionsNewestFirst } from './skill/compare-versions.ts';
export { defineSkill, maxCompatibilityLength, maxDescriptionLength, type SkillDefinition, type SkillResourceSource } from './skill/define-skill.ts';
export { mediaTypeOf } from './skill/media-type.ts';
export { compareResources, compareSkills } from './skill/order.ts';
export { resourceEntry, resourceKindOf } from './skill/resource-entry.ts';
export { isResourcePath, normalizeResourcePath } from './skill/resource-path.ts';
export { decodeText, defaultMaxResourceCharacters, resourceText, type ResourceText, type ResourceTextOptions } from './skill/resource-text.ts';
export { checkSkillName, maxSkillNameLength, normalizeSkillName, suggestSkillName, type SkillNameIssue } from './skill/skill-name.ts';
export { fingerprint } from './state/fingerprint.ts';
export { emptySkillState, loadedSkill, loadedSkillNames, reduceSkillState, type LoadedSkill, type SkillEvent, type SkillState } from './state/skill-state.ts';
export { parseSkillCommand, userInvocableSkills, type SkillCommand } from './activation/user-invocation.ts';
export type { ReattachedSkill, Reattachment, ReattachOptions } from './activation/reattach-skills.ts';
export { applyArguments, takesArguments, type ArgumentTaker } from './arguments/apply-arguments.ts';
export { splitArguments } from './arguments/split-arguments.ts';
export { renderCatalog, type RenderCatalogOptions, type SkillCatalogFormat } from './catalog/render-catalog.ts';
export { findSkill } from './catalog/find-skill.ts';
export type { SkillCatalog } from './catalog/skill-catalog.ts';
export type { SkillActivity, SkillActivityListener, SkillActor, SkillIdentity } from './events/skill-activity.ts';
export type { SkillFork } from './policy/fork.ts';
export { missingTools, type MissingToolsPolicy } from './policy/missing-tools.ts';
export { modelOverride } from './policy/model-override.ts';
export type { SkillPermissionAnswer, SkillPermissionRequest, SkillPermissions } from './policy/permissions.ts';
export type { SkillGuidance } from './prompt/model-texts.ts';
export { createSkillset, type CatalogRequest, type LoadRequest, type Skillset } from './skillset/create-skillset.ts';
export type { SkillsetOptions } from './skillset/skillset-options.ts';
export { skillsDueForRefresh, type SkillRefreshPolicy } from './state/refresh.ts';
export { lockedSkillTools, lockedToolError, skillToolAccess, type SkillToolAccess } from './state/tool-access.ts';
export { skillInjectionTag, withdrawSkillText, type SkillInjectionTag } from './state/skill-injection.ts';
export { collectLoadedSkillNames, skillStateFromTranscript, type SkillTranscriptEntry, type SkillTranscriptOptions } from './state/transcript.ts';
export type { SkillTool, SkillToolContext, SkillToolInputSchema, SkillToolResult } from './tools/skill-tool.ts';
export type { SkillToolSurface } from './tools/skill-tools.ts';
export type { SkillReadLimits } from './tools/tool-environment.ts';
export { assertNoReservedToolNames, defaultSkillToolNames, resolveSkillToolNames, skillToolNamePresets, type SkillToolNames, type SkillToolRole } from './tools/tool-names.ts';
