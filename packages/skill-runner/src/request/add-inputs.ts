import { SkillError } from '@repertoire/skills-core';
import { isResourcePath, type SkillRunRequest } from '@repertoire/skills-core/provider';

/** Files that an interpreter finds by the name of a module. */
const module = /\.(?:py|pyc|pyd|so|js|cjs|mjs|node)$/i;
/** Folders in which it looks for more, wherever they are. */
const moduleFolders: ReadonlySet<string> = new Set(['__pycache__', 'node_modules']);

/**
 * Adds the host's inputs to the files of the skill. The name of an upload often comes from a person
 * whom nobody knows, so an input must not stand where an interpreter would take it for code: a
 * `csv.py` beside a script is run by its `import csv`.
 *
 * @throws {SkillError} `invalid-input`
 */
export function addInputs(files: Map<string, Uint8Array>, { inputs = {}, skill }: Pick<SkillRunRequest, 'inputs' | 'skill'>): void {
  const folders = new Set(['', ...Array.from(files.keys()).flatMap(foldersOf)]);
  const own = new Set(files.keys());
  for (const [path, bytes] of Object.entries(inputs)) {
    const why = whyNot(path, own, folders);
    if (why !== null)
      throw new SkillError('invalid-input', `Input ${JSON.stringify(path)} cannot be placed: ${why}`, { skill: skill.name, path });
    files.set(path, new Uint8Array(bytes));
  }
}

function whyNot(path: string, own: ReadonlySet<string>, folders: ReadonlySet<string>): string | null {
  if (own.has(path)) return 'the skill has a file there. Give it another path.';
  if (!isResourcePath(path)) return 'it is no path inside the working copy. Give it another path.';
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  const stem = name.slice(0, name.indexOf('.'));
  // A package is imported by the name of its folder.
  const place = stem === '__init__' ? segments.slice(0, -1) : segments;
  const isImported = module.test(name) && folders.has(place.join('/'));
  if (!isImported && !segments.some((segment) => moduleFolders.has(segment.toLowerCase()))) return null;
  return 'an interpreter would run it as a module. Put it into a folder that the skill does not have, such as uploads.';
}

function foldersOf(path: string): readonly string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
