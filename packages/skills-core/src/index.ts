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
