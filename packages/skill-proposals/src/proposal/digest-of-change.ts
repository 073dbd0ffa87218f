import { sha256Hex } from '@repertoire/skills-core/provider';
import { compareText } from '@repertoire/skills-core/internal';
import type { ProposedFile, SkillEdit } from './skill-proposal.ts';

/** The digest of a change, in whatever order its parts were given. */
export async function digestOfChange(
  skill: string,
  { files, edits }: { readonly files: readonly Pick<ProposedFile, 'path' | 'text'>[]; readonly edits: readonly SkillEdit[] },
): Promise<string> {
  const sorted = (rows: readonly (readonly string[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort(compareText);
  const whole = sorted(files.map(({ path, text }) => [path, text]));
  const parts = sorted(edits.map(({ path, old, new: by }) => [path, old, by]));
  return await sha256Hex(JSON.stringify(['repertoire-proposal-1', skill, whole, parts]));
}
