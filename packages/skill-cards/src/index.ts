// Anything added here is public API: the skill-card format.
export { cardOfSkill, metadataOfCard, type CardOfSkillOptions } from './card-metadata.ts';
export { parseSkillCard, type ParsedSkillCard, type ParseSkillCardOptions } from './parse-skill-card.ts';
export { resolveCardBase, resolveCardFile, type ResolveCardBaseOptions, type SkillCardBase } from './resolve-card-base.ts';
export { serializeSkillCard } from './serialize-skill-card.ts';
export type { SkillCard } from './skill-card.ts';
export { withCardFiles } from './with-card-files.ts';
export { withSkillCards } from './with-skill-cards.ts';
export { validateSkillCard, type ValidateSkillCardOptions } from './validate-skill-card.ts';
