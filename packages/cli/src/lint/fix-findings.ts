import { chmod, lstat, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LintResult } from './lint-skills.ts';

/**
 * Fixes what rules can fix. Every other byte of a file stays as it is; a file is replaced as a whole or not at all.
 *
 * @returns what was fixed
 */
export async function fixFindings(results: readonly LintResult[]): Promise<LintResult[]> {
  const fixed: LintResult[] = [];
  for (const result of results) {
    const { rule, skill, file } = result;
    if (rule.fix === undefined || skill.folder === null) continue;
    const full = path.join(skill.folder, file ?? path.basename(skill.path));
    const found = await lstat(full);
    // What a link leads to may not be this skill's to change.
    if (!found.isFile()) continue;
    const { mode } = found;
    if (rule.fix.kind === 'executable') {
      // Whoever may read it may execute it, as `chmod +x` does for the usual umask.
      await chmod(full, mode | ((mode & 0o444) >> 2));
      fixed.push(result);
      continue;
    }
    const before = await readFile(full);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(before);
    // What is not UTF-8 would come out as other bytes.
    if (Buffer.compare(before, Buffer.from(text)) !== 0) continue;
    const temporary = `${full}.${process.pid}.tmp`;
    await writeFile(temporary, rule.fix.text(text), { mode });
    await rename(temporary, full);
    fixed.push(result);
  }
  return fixed;
}
