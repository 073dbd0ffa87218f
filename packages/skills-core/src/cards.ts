// Anything added here is public API: the skill-card format.
export { cardOfSkill, frontmatterExtensionUri, metadataOfCard, type CardOfSkillOptions } from './format/card/card-metadata.ts';
export { maxCardCharacters, parseSkillCard, type ParsedSkillCard, type ParseSkillCardOptions } from './format/card/parse-skill-card.ts';
export { resolveCardBase, resolveCardFile, type ResolveCardBaseOptions, type SkillCardBase } from './format/card/resolve-card-base.ts';
export { serializeSkillCard } from './format/card/serialize-skill-card.ts';
export type { SkillCard, SkillCardExtension } from './format/card/skill-card.ts';
export { withCardFiles } from './providers/with-card-files.ts';
export { metadataWithCard, withSkillCards } from './providers/with-skill-cards.ts';
export { validateSkillCard, type ValidateSkillCardOptions } from './format/card/validate-skill-card.ts';
