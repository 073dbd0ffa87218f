import { chmod, lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../text/replace-file.ts';
import type { LintResult } from './judge-findings.ts';

/**
 * Fixes what rules can fix. Every other byte of a file stays as it is; a file is replaced as a
 * whole or not at all.
 *
 * @returns what was fixed
 */
export async function fixFindings(results: readonly LintResult[]): Promise<LintResult[]> {
  const fixed: LintResult[] = [];
  for (const result of results) {
    const { rule, skill, file } = result;
    const { folder, path: shown } = skill.facts;
    if (rule.fix === undefined || folder === null) continue;
    const full = path.join(folder, file ?? path.basename(shown));
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
    await replaceFile(full, rule.fix.text(text), mode);
    fixed.push(result);
  }
  return fixed;
}
