// Anything added here is public API. The one entry point that brings the YAML parser along.
export type { SkillMdDiagnostic } from './format/diagnostic-log.ts';
export { parseCoreYaml } from './format/parse-core-yaml.ts';
export { parseSkillFrontmatter, parseSkillMd } from './format/parse-skill-md.ts';
export type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from './format/parsed-skill-md.ts';
export { serializeSkillMd } from './format/serialize-skill-md.ts';
export { skillFromFiles } from './format/skill-from-files.ts';
export type { SkillFromFiles } from './format/plain-skill-from-files.ts';
