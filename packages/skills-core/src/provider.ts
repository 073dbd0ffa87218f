// Anything added here is public API: what those need who write a source, a search or a runner.
export type { SignSkillIndex, VerifySkillIndex } from './contract/index-signature.ts';
export { mediaTypeOf } from './contract/media-type.ts';
export { compareResources, compareSkills } from './contract/order.ts';
export { resourceEntry } from './contract/resource-entry.ts';
export { isResourcePath, normalizeResourcePath } from './contract/resource-path.ts';
export { checkSkillName, compareText, suggestSkillName } from './contract/skill-name.ts';
export type {
  GetSkillOptions,
  ReadResourceOptions,
  SkillCallOptions,
  SkillFieldValue,
  SkillListing,
  SkillOrigin,
  SkillResource,
  SkillResourceEntry,
  SkillWriteResult,
  WriteSkillOptions,
} from './contract/skill-provider.ts';
export type {
  SkillConfinement,
  SkillRunner,
  SkillRunOptions,
  SkillRunRequest,
  SkillRunResult,
  SkillWrittenFile,
} from './contract/skill-runner.ts';
export type { SkillCandidate, SkillSearchAnswer, SkillSearchMatch, SkillSearchRequest } from './contract/skill-search.ts';
export { parsePlainSkillMd } from './format/parse-plain-skill-md.ts';
export { scanFrontmatter } from './format/scan-frontmatter.ts';
export { digestOfSkill } from './providers/digest/digest-of-skill.ts';
export { readSkillFiles, type WholeSkill } from './providers/digest/read-skill-files.ts';
export { readSkillMd } from './providers/digest/read-skill-md.ts';
export { sha256Hex } from './providers/digest/sha256-hex.ts';
export { isSha256Hex, skillDigest, skillDigestFromFileDigests } from './providers/digest/skill-digest.ts';
export { readListing } from './providers/read-listing.ts';
export { simpleSkillProvider, type SimpleSkillProviderOptions, type SimpleSkillSource } from './providers/simple-skill-provider.ts';
export { abortable } from './providers/support/abortable.ts';
export { forEachBounded } from './providers/support/for-each-bounded.ts';
export { wrapProvider, type WrappedProvider } from './providers/support/wrap-provider.ts';
export { resolveExactVersion, type VersionResolver } from './providers/versions/version-resolver.ts';
export { decodeText, resourceText } from './tools/resource-text.ts';
