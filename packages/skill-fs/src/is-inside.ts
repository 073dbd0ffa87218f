import path from 'node:path';

/** Whether a real path is a folder or lies in it. Both have to be real paths; no link is looked at here. */
export function isInside(folder: string, target: string): boolean {
  const relative = path.relative(folder, target);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
