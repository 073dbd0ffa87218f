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
export { abortable } from './providers/support/abortable.ts';
export { forEachBounded } from './providers/support/for-each-bounded.ts';
export { numberOption, type NumberOptionRules } from './providers/support/number-option.ts';
export { sharesPromises } from './providers/support/shares-promises.ts';
export { SizedCache } from './providers/support/sized-cache.ts';
export { inCodeSkillProvider, type InCodeSkillProviderOptions } from './providers/in-code-skill-provider.ts';
export { compareVersionsNewestFirst } from './contract/compare-versions.ts';
export {
  defineSkill,
  maxCompatibilityLength,
  maxDescriptionLength,
  type SkillDefinition,
  type SkillResourceSource,
} from './contract/define-skill.ts';
export { mediaTypeOf } from './contract/media-type.ts';
export { skillMetadataFromJson } from './format/json/metadata-from-json.ts';
export { compareResources, compareSkills } from './contract/order.ts';
export { resourceEntry, resourceKindOf } from './contract/resource-entry.ts';
export { isResourcePath, normalizeResourcePath } from './contract/resource-path.ts';
export {
  decodeText,
  defaultMaxResourceCharacters,
  resourceText,
  type ResourceText,
  type ResourceTextOptions,
} from './tools/resource-text.ts';
export {
  compareText,
  checkSkillName,
  maxSkillNameLength,
  normalizeSkillName,
  suggestSkillName,
  type SkillNameIssue,
} from './contract/skill-name.ts';
export { fingerprint } from './state/fingerprint.ts';
export {
  emptySkillState,
  loadedSkill,
  loadedSkillNames,
  reduceSkillState,
  type LoadedSkill,
  type SkillEvent,
  type SkillState,
} from './state/skill-state.ts';
export { parseSkillCommand, userInvocableSkills, type SkillCommand } from './tools/activation/user-invocation.ts';
export type { ReattachedSkill, Reattachment, ReattachOptions } from './tools/activation/reattach-skills.ts';
export { applyArguments, takesArguments, type ArgumentTaker } from './tools/arguments/apply-arguments.ts';
export { splitArguments } from './tools/arguments/split-arguments.ts';
export { renderCatalog, type RenderCatalogOptions, type SkillCatalogFormat } from './catalog/render-catalog.ts';
export { findSkill } from './catalog/find-skill.ts';
export type { SkillCatalog, SkillCatalogCut } from './catalog/skill-catalog.ts';
export type { SkillCatalogOptions } from './catalog/build-catalog.ts';
export type { SkillActivity, SkillActivityListener, SkillActor, SkillIdentity } from './events/skill-activity.ts';
export type { SkillFork } from './policy/fork.ts';
export { missingTools, type MissingToolsPolicy } from './policy/missing-tools.ts';
export { modelOverride } from './policy/model-override.ts';
export { skillInForce } from './policy/skill-in-force.ts';
export type { SkillPermissionAnswer, SkillPermissionRequest, SkillPermissions } from './policy/permissions.ts';
export type { SkillGuidance } from './prompt/model-texts.ts';
export { createSkillset, type CatalogRequest, type LoadRequest, type Skillset } from './skillset/create-skillset.ts';
export type { SkillsetOptions } from './skillset/skillset-options.ts';
export { skillsDueForRefresh, type SkillRefreshPolicy } from './state/refresh.ts';
export { lockedSkillTools, lockedToolError, skillToolAccess, type SkillToolAccess } from './policy/tool-access.ts';
export { skillInjectionTag, withdrawSkillText, type SkillInjectionTag } from './state/skill-injection.ts';
export { skillStateInContext } from './state/state-in-context.ts';
export {
  collectLoadedSkillNames,
  skillStateFromTranscript,
  type SkillTranscriptEntry,
  type SkillTranscriptOptions,
} from './state/transcript.ts';
export type { SkillTool, SkillToolContext, SkillToolInputSchema, SkillToolResult } from './tools/skill-tool.ts';
export type { SkillToolSurface } from './tools/skill-tools.ts';
export type { SkillReadLimits } from './tools/tool-environment.ts';
export {
  assertNoReservedToolNames,
  defaultSkillToolNames,
  resolveSkillToolNames,
  skillToolNamePresets,
  type SkillToolNames,
  type SkillToolRole,
} from './prompt/tool-names.ts';
export {
  budgetCatalog,
  defaultMaxCatalogTokens,
  type BudgetedCatalog,
  type CatalogBudget,
  type CatalogCut,
  type CatalogRenderer,
} from './catalog/budget-catalog.ts';
export { renderCompactSkillList } from './catalog/budget-compact.ts';
export { budgetDiagnostics } from './catalog/budget-diagnostics.ts';
export { isSurfaceMode, surfaceModeOf, type ConcreteSurfaceMode, type SkillSurfaceMode } from './catalog/surface/surface-mode.ts';
export { surfaceModes, type SurfaceModeRule } from './catalog/surface/surface-modes.ts';
export { resolveSurfaceMode, skillSurfaceMode, type SurfaceModeContext } from './catalog/surface/resolve-surface-mode.ts';
export { splitCatalog, surfaceOf, type SkillSurface, type SurfaceOptions } from './catalog/surface/surface-of.ts';
export type {
  SkillCard,
  SkillCardExtension,
  SkillCardHttpServer,
  SkillCardLocalTool,
  SkillCardMcpServer,
  SkillCardStdioServer,
} from './format/card/skill-card.ts';
export { maxCardCharacters, parseSkillCard, type ParsedSkillCard, type ParseSkillCardOptions } from './format/card/parse-skill-card.ts';
export { serializeSkillCard } from './format/card/serialize-skill-card.ts';
export { validateSkillCard, type ValidateSkillCardOptions } from './format/card/validate-skill-card.ts';
export { resolveCardBase, resolveCardFile, type ResolveCardBaseOptions, type SkillCardBase } from './format/card/resolve-card-base.ts';
export { parseLocalToolReference, type LocalToolReference } from './format/card/local-tool-reference.ts';
export { cardToolsOf, type SkillCardTools } from './format/card/card-tools.ts';
export { cardOfSkill, frontmatterExtensionUri, metadataOfCard, type CardOfSkillOptions } from './format/card/card-metadata.ts';
export { matchesAllowedTool, type AllowedToolCall, type AllowedToolOptions } from './policy/allowed-tools/matches-allowed-tool.ts';
export { isSimpleCommand, type CommandShell } from './policy/allowed-tools/match-command.ts';
export {
  allowedToolsDecision,
  type AllowedToolsDecision,
  type AllowedToolsPolicy,
  type AllowedToolsRequest,
} from './policy/allowed-tools/allowed-tools-decision.ts';
export { composeProviders, type ComposeProvidersOptions } from './providers/compose/compose-providers.ts';
export type { SetTimer } from './providers/compose/composed-source.ts';
export type { SkillCollisionRule } from './providers/compose/merge-listings.ts';
export { selectSkills, type SkillPredicate } from './providers/select-skills.ts';
export { SkillRegistry, type SkillRegistryOptions } from './providers/skill-registry.ts';
export { createSkillLock } from './providers/lock/create-skill-lock.ts';
export { digestOfSkill, type SkillDigests } from './providers/digest/digest-of-skill.ts';
export { parseSkillLock, serializeSkillLock } from './providers/lock/lock-file.ts';
export { lockedProvider, type LockedProviderOptions } from './providers/lock/locked-provider.ts';
export { sha256Hex } from './providers/digest/sha256-hex.ts';
export { isSha256Hex, skillDigest, skillDigestFromFileDigests } from './providers/digest/skill-digest.ts';
export {
  compareSkillLocks,
  diffSkillLock,
  renderSkillLockDiff,
  verifySkillLock,
  type SkillLockChange,
  type SkillLockDiff,
  type SkillLockSide,
} from './providers/lock/skill-lock-diff.ts';
export type { LockedSkill, SkillLock } from './providers/lock/skill-lock.ts';
export { resolveExactVersion, type VersionResolver } from './providers/versions/version-resolver.ts';
export { freeToolName } from './policy/brought-tools/free-tool-name.ts';
export { copyOf } from './contract/copy-of.ts';
export { isReachable } from './contract/is-reachable.ts';
export { isTrusted } from './contract/is-trusted.ts';
export { forkResultText, type ForkResultOptions } from './policy/fork-result.ts';
export { localSkillTools, type LocalSkillTools, type LocalSkillToolOptions } from './policy/brought-tools/local-skill-tools.ts';
