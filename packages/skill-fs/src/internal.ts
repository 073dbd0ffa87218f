// What other packages of this repository share. Nothing here is promised: any release may change or
// remove it.
export { folderFiles, type FolderFiles } from './folder-files.ts';
