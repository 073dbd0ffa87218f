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
export { renderCatalog, type RenderCatalogOptions, type SkillCatalogFormat } from './catalog/render-catalog.ts';
export { findSkill } from './catalog/find-skill.ts';
export type { SkillCatalog } from './catalog/skill-catalog.ts';
export type { SkillGuidance } from './prompt/model-texts.ts';
export { createSkillset, type Skillset, type SkillsetOptions } from './skillset/create-skillset.ts';
export { skillToolAccess, type SkillToolAccess } from './state/tool-access.ts';
export { skillStateFromTranscript, type SkillTranscriptEntry, type SkillTranscriptOptions } from './state/transcript.ts';
export type { ReadFileLimits } from './tools/read-skill-file.ts';
export type { SkillTool, SkillToolContext, SkillToolInputSchema, SkillToolResult } from './tools/skill-tool.ts';
export { assertNoReservedToolNames, defaultSkillToolNames, resolveSkillToolNames, type SkillToolNames, type SkillToolRole } from './tools/tool-names.ts';
