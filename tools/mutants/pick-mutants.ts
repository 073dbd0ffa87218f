import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../fuzz/random.ts';
import { repositoryRoot } from '../workspace.ts';
import { structureMutants, type StructureMutant } from './structure-mutants.ts';

/** A mutant, and the file that it changes. */
export interface PickedMutant extends StructureMutant {
  /** From the root of the repository. */
  readonly file: string;
  /** `skill-fs/walk-folder.ts:31 comparison: < becomes <=`. */
  readonly name: string;
}

/**
 * Some of all mutants of the packages' sources, the same ones for the same seed and the same sources. Each place in the code is as likely
 * as any other, so large packages get more of them.
 *
 * @param only the files to pick from. @default all
 */
export function pickMutants(
  count: number,
  seed: number,
  packageName = '*',
  only?: ReadonlySet<string>,
): { readonly picked: PickedMutant[]; readonly of: number } {
  const all = globSync(`packages/${packageName}/src/**/*.ts`, { cwd: repositoryRoot })
    .filter((file) => !file.endsWith('.d.ts') && only?.has(file) !== false)
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(repositoryRoot, file), 'utf8');
      return structureMutants(file, text).map((mutant): PickedMutant => ({ ...mutant, file, name: nameOf(file, text, mutant) }));
    });
  const { below } = seededRandom(seed);
  const left = [...all];
  const picked: PickedMutant[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(below(left.length), 1));
  return { picked, of: all.length };
}

function nameOf(file: string, text: string, { kind, start, end, to }: StructureMutant): string {
  const line = text.slice(0, start).split('\n').length;
  const short = (part: string): string => (part.length > 60 ? `${part.slice(0, 60)}…` : part).replace(/\s+/g, ' ');
  return `${file.replace('packages/', '').replace('/src/', '/')}:${line} ${kind}: ${short(text.slice(start, end))} becomes ${to === ';' ? 'nothing' : short(to)}`;
}
