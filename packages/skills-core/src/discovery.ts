export type {
  SkillCandidate,
  SkillSearch,
  SkillSearchAnswer,
  SkillSearchAudience,
  SkillSearchField,
  SkillSearchFilter,
  SkillSearchMatch,
  SkillSearchRequest,
} from './contract/skill-search.ts';
export type { SkillDiscovery } from './tools/search/skill-discovery.ts';
export { skillDiscovery, type SkillDiscoveryOptions } from './tools/search/discover-skills.ts';
