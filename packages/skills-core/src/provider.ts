// Anything added here is public API: what those need who write a source, a search or a runner.
export type { SignSkillIndex, VerifySkillIndex } from './contract/index-signature.ts';
export { mediaTypeOf } from './contract/media-type.ts';
export { compareResources, compareSkills } from './contract/order.ts';
export { resourceEntry } from './contract/resource-entry.ts';
export { isResourcePath } from './contract/resource-path.ts';
export { checkSkillName } from './contract/skill-name.ts';
export type {
  GetSkillOptions,
  ReadResourceOptions,
  SkillCallOptions,
  SkillListing,
  SkillOrigin,
  SkillResource,
  SkillResourceEntry,
  SkillWriteResult,
  WriteSkillOptions,
} from './contract/skill-provider.ts';
export type { SkillRunner, SkillRunOptions, SkillRunRequest, SkillRunResult } from './contract/skill-runner.ts';
export type { SkillSearchAnswer, SkillSearchRequest } from './contract/skill-search.ts';
export { findSnippets, type SkillSnippet } from './format/find-snippets.ts';
export { scanFrontmatter } from './format/scan-frontmatter.ts';
export { digestOfSkill } from './providers/digest/digest-of-skill.ts';
export { readSkillFiles } from './providers/digest/read-skill-files.ts';
export { readSkillMd } from './providers/digest/read-skill-md.ts';
export { sha256Hex } from './providers/digest/sha256-hex.ts';
export { skillDigest, skillDigestFromFileDigests } from './providers/digest/skill-digest.ts';
export { readListing } from './providers/read-listing.ts';
export { simpleSkillProvider, type SimpleSkillSource } from './providers/simple-skill-provider.ts';
export { abortable } from './providers/support/abortable.ts';
export { forEachBounded } from './providers/support/for-each-bounded.ts';
export { wrapProvider } from './providers/support/wrap-provider.ts';
export { decodeText } from './tools/resource-text.ts';
