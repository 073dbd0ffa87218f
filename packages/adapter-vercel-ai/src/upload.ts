// Anything added here is public API. It brings the YAML parser along, to write SKILL.md.
export { uploadSkills, type SkillUpload, type SkillUploads, type UploadSkillsOptions } from './upload/upload-skills.ts';
