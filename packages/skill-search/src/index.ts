// Anything added here is public API.
export { createSkillSearch, type IndexedSkillSearch } from './search/create-skill-search.ts';
export type { SkillSearchOptions } from './search/skill-search-options.ts';
export { skillEmbedder, type SkillEmbedder, type SkillEmbedderOptions } from './embed/skill-embedder.ts';
export type { EmbeddingModelLike } from './embed/embedding-model.ts';
export type { SkillVectorCache } from './embed/vector-cache.ts';
