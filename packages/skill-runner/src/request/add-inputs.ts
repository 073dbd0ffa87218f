import { SkillError } from '@repertoire/skills-core';
import { isResourcePath, type SkillRunRequest } from '@repertoire/skills-core/provider';

/** The folder of inputs in the working copy. */
const inputsFolder = 'inputs';

/**
 * Adds the host's inputs to the files of the skill, all of them below `inputs/`. The name of an
 * upload often comes from a person whom nobody knows, and programs find code by many names: a
 * module, a `package.json`, a `.git/config`, a `GNUmakefile`. No program looks for any of them in
 * this folder unless the skill names it, and the skill has none of its own there.
 *
 * @throws {SkillError} `invalid-input`
 */
export function addInputs(files: Map<string, Uint8Array>, { inputs = {}, skill }: Pick<SkillRunRequest, 'inputs' | 'skill'>): void {
  const entries = Object.entries(inputs);
  const own = entries.length === 0 ? undefined : Array.from(files.keys()).find(isInInputs);
  if (own !== undefined)
    throw new SkillError(
      'invalid-input',
      `Skill ${JSON.stringify(skill.name)} gets no inputs: it has ${JSON.stringify(own)}, and the folder "${inputsFolder}" is for inputs alone. Rename that folder of the skill.`,
      { skill: skill.name, path: own },
    );
  for (const [path, bytes] of entries) {
    if (!isResourcePath(path))
      throw new SkillError(
        'invalid-input',
        `Input ${JSON.stringify(path)} cannot be placed: it is no path inside the folder "${inputsFolder}". Give it another path.`,
        { skill: skill.name, path },
      );
    files.set(`${inputsFolder}/${path}`, new Uint8Array(bytes));
  }
}

/**
 * Whether a path is in the folder of inputs. On some file systems, names that differ only in case
 * or in Unicode form are the same.
 */
function isInInputs(path: string): boolean {
  const [first = ''] = path.split('/');
  return first.normalize('NFKC').toLowerCase() === inputsFolder;
}
