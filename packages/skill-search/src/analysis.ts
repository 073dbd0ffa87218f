// Anything added here is public API.
export { alikeSkills, type AlikeSkills, type AlikeSkillsOptions } from './analysis/alike-skills.ts';
export { findCollisions, type SkillCollision } from './analysis/find-collisions.ts';
export type { AnalyzedSkill } from './analysis/analyzed-skill.ts';
export {
  rankSkills,
  type RankedSkill,
  type SkillRanking,
  type SkillRankingOptions,
  type SkillScoreExplanation,
} from './analysis/skill-ranking.ts';
export { tuneEmbedder, type EmbedderTuning, type TunedShares, type TuningPrompt } from './analysis/tune-embedder.ts';
