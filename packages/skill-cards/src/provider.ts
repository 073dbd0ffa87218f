// Anything added here is public API: a card as a source, which brings the parser of SKILL.md along.
export type { ReadCardFile } from './read-card.ts';
export { skillCardProvider, type SkillCardProviderOptions } from './skill-card-provider.ts';
