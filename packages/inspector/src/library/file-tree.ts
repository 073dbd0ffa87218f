import type { FileView } from './views.ts';

/** A folder or a file. */
export interface TreeNode {
  readonly name: string;
  /** `null` for a folder. */
  readonly file: FileView | null;
  readonly children: readonly TreeNode[];
}

/** The files of a skill as a tree: folders first, then files, each by name. Pure. */
export function fileTree(files: readonly FileView[], prefix: string = ''): TreeNode[] {
  const folders = new Map<string, FileView[]>();
  const here: TreeNode[] = [];
  for (const file of files) {
    const rest = file.path.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash === -1) here.push({ name: rest, file, children: [] });
    else folders.set(rest.slice(0, slash), [...(folders.get(rest.slice(0, slash)) ?? []), file]);
  }
  const byName = (a: TreeNode, b: TreeNode): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const nested = [...folders].map(([name, own]) => ({ name, file: null, children: fileTree(own, `${prefix}${name}/`) }));
  return [...nested.sort(byName), ...here.sort(byName)];
}
