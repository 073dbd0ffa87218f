// Anything added here is public API. What writers of sources, adapters, locks and cards need stands in entry points of their own.
export type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillFieldValue,
  SkillListing,
  SkillMetadata,
  SkillOrigin,
  SkillProvider,
  SkillResource,
  SkillResourceEntry,
  SkillResourceKind,
} from './contract/skill-provider.ts';
export { defineSkill, type SkillDefinition, type SkillResourceSource } from './contract/define-skill.ts';
export { SkillError, skillErrorCodes, type SkillErrorCode, type SkillErrorDetails } from './errors/skill-error.ts';

export { composeProviders, type ComposeProvidersOptions } from './providers/compose/compose-providers.ts';
export { inCodeSkillProvider, type InCodeSkillProviderOptions } from './providers/in-code-skill-provider.ts';
export { selectSkills, type SkillPredicate } from './providers/select-skills.ts';
export type { SkillRegistryTools, SkillRegistryToolsOptions } from './skillset/registry-tools.ts';
export { SkillRegistry, type SkillRegistryOptions } from './skillset/skill-registry.ts';

export { createSkillset, type Skillset } from './skillset/create-skillset.ts';
export type { OpenRequest } from './skillset/open-request.ts';
export type { KeptSession, SkillCatalogStore } from './skillset/kept-catalog.ts';
export type { LoadRequest, SkillSession } from './skillset/skill-session.ts';
export type { SkillsetOptions } from './skillset/skillset-options.ts';

export type { SkillCatalog } from './catalog/skill-catalog.ts';
export type { SkillActivity } from './events/skill-activity.ts';
export type { SkillCallVerdict } from './policy/judge-call.ts';
export type { SkillPermissions } from './policy/permissions.ts';
export { emptySkillState, type SkillEvent, type SkillState } from './state/skill-state.ts';
export type { SkillTool, SkillToolContext, SkillToolResult } from './tools/skill-tool.ts';
