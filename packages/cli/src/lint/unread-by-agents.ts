import type { SkillDiagnostic } from '@repertoire/skills-core';
import { readListing } from '@repertoire/skills-core/provider';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import type { OpenedSource } from '../source/open-source.ts';
import { skippedCode } from '../source/skipped-code.ts';

/** What an agent's source skips in folders: links that lead out, hidden or too deep folders. */
export async function unreadByAgents(
  { parts }: Pick<OpenedSource, 'parts'>,
  { signal }: Pick<CommandIo, 'signal'>,
  report: Pick<CommandReport, 'progress'>,
): Promise<SkillDiagnostic[]> {
  const found: SkillDiagnostic[] = [];
  report.progress('Listing skills…');
  for (const { provider, roots } of parts) {
    if (roots === null) continue;
    const { diagnostics } = await readListing(provider, { signal });
    // The name of the file is for a rule.
    found.push(...diagnostics.filter(({ code }) => skippedCode.test(code) && code !== 'skill-file-name'));
  }
  return found;
}
