// Anything added here is public API. It brings the YAML parser along, to write SKILL.md.
export {
  uploadSkills,
  type SkillsApi,
  type SkillUpload,
  type SkillUploads,
  type UploadedSkills,
  type UploadSkillsOptions,
} from './upload/upload-skills.ts';
