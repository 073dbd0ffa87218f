// What the packages of this repository share. Nothing here is promised: any release may change or
// remove it. Who needs something of it asks for a place in another entry point.
export { isInterrupt } from './errors/is-interrupt.ts';
export { messageOf } from './errors/message-of.ts';
export { sourceFailed } from './errors/source-failed.ts';
export { frontmatterCost, isHeavyFrontmatter } from './format/frontmatter-cost.ts';
export { changedFiles, type FileChanges } from './contract/changed-files.ts';
export { isInsideUrl } from './contract/inside-url.ts';
export { compareVersionsNewestFirst } from './contract/compare-versions.ts';
export { deepFreeze } from './contract/deep-freeze.ts';
export { maxCompatibilityLength, maxDescriptionLength } from './contract/define-skill.ts';
export { DiagnosticList } from './contract/diagnostic-list.ts';
export { skillSignatureFile } from './contract/index-signature.ts';
export { fieldOf, isJsonObject, type JsonObject } from './contract/json-object.ts';
export { assertKnownOptions, type OptionRules } from './contract/known-options.ts';
export { inLatinLetters, skeletonOf, skeletonsOf, visibleName } from './contract/look-alike.ts';
export { nearNames } from './contract/near-names.ts';
export { isResourceFolder } from './contract/resource-entry.ts';
export { refuseFilePaths } from './contract/refuse-file-paths.ts';
export { isWindowsTrick, normalizeResourcePath } from './contract/resource-path.ts';
export { compareText, maxSkillNameLength, suggestSkillName } from './contract/skill-name.ts';
export type { SkillFieldValue } from './contract/skill-provider.ts';
export type { SkillConfinementAspect, SkillWrittenFile } from './contract/skill-runner.ts';
export type { SkillSearchField, SkillCandidate } from './contract/skill-search.ts';
export { withoutTrailing } from './contract/without-trailing.ts';
export { insideElement, oneLine } from './prompt/escape.ts';
export { frame } from './prompt/frames.ts';
export { codePointsOf, hiddenCharacters } from './prompt/hidden-characters.ts';
export { errorForModel, listWords, quoteWord } from './prompt/source-words.ts';
export { untrustedContentText } from './prompt/model-texts.ts';
export { resolveSkillToolNames, type SkillToolNames, type SkillToolRole } from './prompt/tool-names.ts';
export { CardReader, otherFields, preview } from './format/card/card-reader.ts';
export { readLocalTools, readMcpServers } from './format/card/card-tools.ts';
export { parseLocalToolReference } from './format/card/local-tool-reference.ts';
export type { SkillCardLocalTool } from './format/card/skill-card-local-tool.ts';
export type { SkillCardStdioServer, SkillCardMcpServer } from './format/card/skill-card-mcp-server.ts';
export { skillMetadataFromJson } from './format/metadata-from-json.ts';
export { isShallow, metadataShapes, type OtherMetadataField } from './contract/metadata-shapes.ts';
export { parsePlainSkillFrontmatter, parsePlainSkillMd } from './format/parse-plain-skill-md.ts';
export { plainSkillFromFiles } from './format/plain-skill-from-files.ts';
export { readPlainFields } from './format/read-plain-fields.ts';
export type { SetTimer } from './providers/compose/composed-source.ts';
export { fixedSkillProvider } from './providers/fixed-skill-provider.ts';
export { digestsOfSkill, frontmatterDigest } from './providers/digest/digest-of-skill.ts';
export type { LockedPlugin, LockedSigner, LockedSkill } from './providers/digest/skill-lock.ts';
export { bytesToCopy, readListedFile } from './providers/digest/read-listed-file.ts';
export { knownSkillMd, noteSkillMd } from './providers/digest/known-skill-md.ts';
export type { ReadSkillFilesOptions } from './providers/digest/read-skill-files.ts';
export type { SkillMdBytes } from './providers/digest/read-skill-md.ts';
export { identityKey, identityOptions, skillKey } from './contract/skill-identity.ts';
export { hashText } from './providers/digest/hash-text.ts';
export { isSha256Hex } from './providers/digest/skill-digest.ts';
export { concatBytes } from './providers/support/concat-bytes.ts';
export { jsonWithList } from './providers/support/json-with-list.ts';
export { nodeBuiltin } from './providers/support/node-builtin.ts';
export { numberOption } from './providers/support/number-option.ts';
export { nextTurn, Pace } from './providers/support/pace.ts';
export { sharesPromises } from './providers/support/shares-promises.ts';
export { SizedCache } from './providers/support/sized-cache.ts';
export { toHex } from './providers/support/to-hex.ts';
export { catalogCuts, catalogLines, type CatalogCut } from './catalog/catalog-lines.ts';
export { skillNotFound } from './catalog/find-skill.ts';
export { isModelInvocable, newestOfEach } from './catalog/skill-catalog.ts';
export { forkHandedBack } from './policy/fork.ts';
export { matchSequence } from './policy/allowed-tools/wildcard.ts';
export { forkNeedsPersonText } from './prompt/model-texts.ts';
export type { RestoredSkill } from './skillset/restore-skills.ts';
export { applyArguments } from './tools/arguments/apply-arguments.ts';
export { loadEvent } from './tools/activation/skill-instructions.ts';
export { textArgument, toolDescription, type SkillToolDescription } from './tools/describe-tool.ts';
export { allGrants } from './policy/approvals/skill-grants.ts';
export { approvalKey, approvalRecord, grantsIn, isAbout } from './tools/approvals/approval-records.ts';
export { filesSince } from './tools/files-since.ts';
export type { SkillChangedFiles } from './events/skill-activity.ts';
export { whatItAsks } from './tools/approvals/questions.ts';
export { contentOfSkill } from './tools/pinned/present-listing.ts';
export { assertInForce, readPinnedFiles } from './tools/pinned/run-pinned.ts';
export type { SkillInUse } from './tools/pinned/skill-doors.ts';
export { listOf, makeTool, objectOf, runTool, ToolInput } from './tools/run-tool.ts';
export { tellProgress } from './tools/run-tool.ts';
export type { SkillToolHost } from './tools/tool-host.ts';
export { identityOf, spanAttributes, type NamedSkill } from './events/session-events.ts';
export { callKey } from './tools/call-key.ts';
export { printDiagnostic } from './skillset/print-diagnostic.ts';
export type { SessionInside } from './tools/activation/lost-texts.ts';
export type { KeptSession } from './skillset/session-catalog.ts';
export { eventOf as skillEventOf } from './state/transcript.ts';
export { forkFailureText } from './policy/fork.ts';
export { modelNamed } from './policy/model-override.ts';
export { type JudgedCall } from './skillset/judge-tool-of-skill.ts';
export { revisionOf } from './state/revision.ts';
export type { LoadedSkill } from './state/skill-state.ts';
export type { WrappedProvider } from './providers/support/wrap-provider.ts';
export {
  notAnsweredText,
  notAskedText,
  notRunText,
  ranAlreadyText,
  tooManyQuestionsText,
  unknownOutcomeStart,
  unknownOutcomeText,
} from './prompt/call-texts.ts';
