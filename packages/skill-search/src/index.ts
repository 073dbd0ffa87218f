// Anything added here is public API.
export { createSkillSearch, type IndexedSkillSearch, type SkillSearchStatus } from './search/create-skill-search.ts';
export type { SkillSearchOptions } from './search/skill-search-options.ts';
export { skillSearchDiagnosticCodes, type SkillSearchDiagnosticCode } from './search/diagnostic-codes.ts';
export { skillEmbedder, type SkillEmbedder, type SkillEmbedderOptions } from './embed/skill-embedder.ts';
export type { EmbedFunction, EmbeddingModelLike, EmbeddingsLike } from './embed/embedding-model.ts';
export type { SkillVectorCache } from './embed/vector-cache.ts';
