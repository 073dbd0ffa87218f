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
export { forEachBounded } from './providers/for-each-bounded.ts';
export { numberOption, type NumberOptionRules } from './providers/number-option.ts';
export { sharesPromises } from './providers/shares-promises.ts';
export { SizedCache } from './providers/sized-cache.ts';
export { inCodeSkillProvider, type InCodeSkillProviderOptions } from './providers/in-code-skill-provider.ts';
export { compareVersionsNewestFirst } from './skill/compare-versions.ts';
export {
  defineSkill,
  maxCompatibilityLength,
  maxDescriptionLength,
  type SkillDefinition,
  type SkillResourceSource,
} from './skill/define-skill.ts';
export { mediaTypeOf } from './skill/media-type.ts';
export { skillMetadataFromJson } from './skill/metadata-from-json.ts';
export { compareResources, compareSkills } from './skill/order.ts';
export { resourceEntry, resourceKindOf } from './skill/resource-entry.ts';
export { isResourcePath, normalizeResourcePath } from './skill/resource-path.ts';
export {
  decodeText,
  defaultMaxResourceCharacters,
  resourceText,
  type ResourceText,
  type ResourceTextOptions,
} from './skill/resource-text.ts';
export {
  compareText,
  checkSkillName,
  maxSkillNameLength,
  normalizeSkillName,
  suggestSkillName,
  type SkillNameIssue,
} from './skill/skill-name.ts';
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
export { parseSkillCommand, userInvocableSkills, type SkillCommand } from './activation/user-invocation.ts';
export type { ReattachedSkill, Reattachment, ReattachOptions } from './activation/reattach-skills.ts';
export { applyArguments, takesArguments, type ArgumentTaker } from './arguments/apply-arguments.ts';
export { splitArguments } from './arguments/split-arguments.ts';
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
export { lockedSkillTools, lockedToolError, skillToolAccess, type SkillToolAccess } from './state/tool-access.ts';
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
} from './tools/tool-names.ts';
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
export { isSurfaceMode, surfaceModeOf, type ConcreteSurfaceMode, type SkillSurfaceMode } from './surface/surface-mode.ts';
export { surfaceModes, type SurfaceModeRule } from './surface/surface-modes.ts';
export { resolveSurfaceMode, skillSurfaceMode, type SurfaceModeContext } from './surface/resolve-surface-mode.ts';
export { splitCatalog, surfaceOf, type SkillSurface, type SurfaceOptions } from './surface/surface-of.ts';
export type {
  SkillCard,
  SkillCardExtension,
  SkillCardHttpServer,
  SkillCardLocalTool,
  SkillCardMcpServer,
  SkillCardStdioServer,
} from './card/skill-card.ts';
export { maxCardCharacters, parseSkillCard, type ParsedSkillCard, type ParseSkillCardOptions } from './card/parse-skill-card.ts';
export { serializeSkillCard } from './card/serialize-skill-card.ts';
export { validateSkillCard, type ValidateSkillCardOptions } from './card/validate-skill-card.ts';
export { resolveCardBase, resolveCardFile, type ResolveCardBaseOptions, type SkillCardBase } from './card/resolve-card-base.ts';
export { parseLocalToolReference, type LocalToolReference } from './card/local-tool-reference.ts';
export { cardToolsOf, type SkillCardTools } from './card/card-tools.ts';
export { cardOfSkill, frontmatterExtensionUri, metadataOfCard, type CardOfSkillOptions } from './card/card-metadata.ts';
export { matchesAllowedTool, type AllowedToolCall, type AllowedToolOptions } from './allowed-tools/matches-allowed-tool.ts';
export { isSimpleCommand, type CommandShell } from './allowed-tools/match-command.ts';
export {
  allowedToolsDecision,
  type AllowedToolsDecision,
  type AllowedToolsPolicy,
  type AllowedToolsRequest,
} from './allowed-tools/allowed-tools-decision.ts';
export { composeProviders, type ComposeProvidersOptions } from './providers/compose-providers.ts';
export type { SetTimer } from './providers/composed-source.ts';
export type { SkillCollisionRule } from './providers/merge-listings.ts';
export { selectSkills, type SkillPredicate } from './providers/select-skills.ts';
export { SkillRegistry, type SkillRegistryOptions } from './providers/skill-registry.ts';
export { createSkillLock } from './integrity/create-skill-lock.ts';
export { digestOfSkill, type SkillDigests } from './integrity/digest-of-skill.ts';
export { parseSkillLock, serializeSkillLock } from './integrity/lock-file.ts';
export { lockedProvider, type LockedProviderOptions } from './integrity/locked-provider.ts';
export { sha256Hex } from './integrity/sha256-hex.ts';
export { isSha256Hex, skillDigest, skillDigestFromFileDigests } from './integrity/skill-digest.ts';
export {
  compareSkillLocks,
  diffSkillLock,
  renderSkillLockDiff,
  verifySkillLock,
  type SkillLockChange,
  type SkillLockDiff,
  type SkillLockSide,
} from './integrity/skill-lock-diff.ts';
export type { LockedSkill, SkillLock } from './integrity/skill-lock.ts';
export { resolveExactVersion, type VersionResolver } from './versions/version-resolver.ts';
export { freeToolName } from './skill-tools-source/free-tool-name.ts';
export { copyOf } from './skill/copy-of.ts';
export { isReachable } from './skill/is-reachable.ts';
export { isTrusted } from './skill/is-trusted.ts';
export { forkResultText, type ForkResultOptions } from './policy/fork-result.ts';
export { localSkillTools, type LocalSkillTools, type LocalSkillToolOptions } from './skill-tools-source/local-skill-tools.ts';
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
export { describeScripts, isScript, scriptExtensions, type DescribeScriptsOptions, type SkillScript } from './tools/describe-scripts.ts';
export { expandSnippets, type ExpandedSnippets, type ExpandSnippetsOptions } from './tools/expand-snippets.ts';
export { findSnippets, type SkillSnippet } from './tools/find-snippets.ts';
export { formatScriptResult, type FormatScriptResultOptions } from './tools/format-script-result.ts';
export { readSkillFiles, type ReadSkillFilesOptions, type SkillFiles } from './tools/read-skill-files.ts';
export { scriptSummary } from './tools/script-summary.ts';
