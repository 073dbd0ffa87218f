// Anything added here is public API. It needs Node.js.
export { readSkillFolder, type ReadSkillFolderOptions } from './node/read-skill-folder.ts';
