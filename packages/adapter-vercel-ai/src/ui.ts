// Anything added here is public API. Pages import it, so it imports nothing at run time.
export { skillsDataChunk, type SkillsData, type SkillUIMessage } from './ui/skill-data.ts';
export { skillPartOf, type SkillPart } from './ui/skill-part.ts';
