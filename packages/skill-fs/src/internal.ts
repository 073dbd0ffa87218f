// Shared by packages of this repository. Any release may change or remove it.
export { folderFiles, type FolderFiles } from './folder-files.ts';
export { isInside } from './inside.ts';
