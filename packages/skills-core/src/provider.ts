// Anything added here is public API: what writers of sources need.
export { compareVersionsNewestFirst } from './contract/compare-versions.ts';
export { deepFreeze } from './contract/deep-freeze.ts';
export { DiagnosticList } from './contract/diagnostic-list.ts';
export { isTrusted } from './contract/is-trusted.ts';
export {
  skillSignatureFile,
  type AcceptedSkillIndex,
  type SignSkillIndex,
  type SkillIndexDigest,
  type SkillIndexToVerify,
  type VerifySkillIndex,
} from './contract/index-signature.ts';
export { fieldOf, isJsonObject, type JsonObject } from './contract/json-object.ts';
export { assertKnownOptions } from './contract/known-options.ts';
export { lookOf, looksOf, visibleName } from './contract/look-alike.ts';
export { mediaTypeOf } from './contract/media-type.ts';
export { compareResources, compareSkills } from './contract/order.ts';
export { isResourceFolder, resourceEntry, resourceKindOf } from './contract/resource-entry.ts';
export { withoutTrailing } from './contract/without-trailing.ts';
export { isResourcePath, isWindowsTrick, normalizeResourcePath } from './contract/resource-path.ts';
export {
  checkSkillName,
  compareText,
  maxSkillNameLength,
  normalizeSkillName,
  suggestSkillName,
  type SkillNameIssue,
} from './contract/skill-name.ts';
export { maxCompatibilityLength, maxDescriptionLength } from './contract/define-skill.ts';
export { skillMetadataFromJson } from './format/json/metadata-from-json.ts';
export { parsePlainSkillFrontmatter, parsePlainSkillMd } from './format/parse-plain-skill-md.ts';
export { scanFrontmatter, type FrontmatterScan, type ScanFrontmatterOptions } from './format/scan-frontmatter.ts';
export { codePointsOf, hiddenCharacters, type HiddenCharacter } from './prompt/hidden-characters.ts';
export { readSkillFiles, type ReadSkillFilesOptions, type WholeSkill } from './providers/digest/read-skill-files.ts';
export { readSkillMd, type SkillMdBytes } from './providers/digest/read-skill-md.ts';
export { sha256Hex } from './providers/digest/sha256-hex.ts';
export { isSha256Hex, skillDigest, skillDigestFromFileDigests } from './providers/digest/skill-digest.ts';
export type { SetTimer } from './providers/compose/composed-source.ts';
export type { SkillCollisionRule } from './providers/compose/merge-listings.ts';
export { readListing } from './providers/read-listing.ts';
export { abortable } from './providers/support/abortable.ts';
export { concatBytes } from './providers/support/concat-bytes.ts';
export { forEachBounded } from './providers/support/for-each-bounded.ts';
export { jsonWithList } from './providers/support/json-with-list.ts';
export { parseJsonWithList } from './providers/support/parse-json-with-list.ts';
export { nodeBuiltin, type NodeBuiltins } from './providers/support/node-builtin.ts';
export { numberOption, type NumberOptionRules } from './providers/support/number-option.ts';
export { oneOf } from './providers/support/one-of.ts';
export { nextTurn, Pace } from './providers/support/pace.ts';
export { sharesPromises } from './providers/support/shares-promises.ts';
export { SizedCache } from './providers/support/sized-cache.ts';
export { toHex } from './providers/support/to-hex.ts';
export { wrapProvider, type WrappedProvider, type WrapProviderOptions } from './providers/support/wrap-provider.ts';
export { resolveExactVersion, type VersionResolver } from './providers/versions/version-resolver.ts';
export {
  decodeText,
  defaultMaxResourceCharacters,
  resourceText,
  type ResourceText,
  type ResourceTextOptions,
} from './tools/resource-text.ts';
