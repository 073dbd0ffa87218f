import { readFile } from 'node:fs/promises';
import type { SkillError } from '@repertoire/skills-core';
import { fieldOf, isJsonObject } from '@repertoire/skills-core/internal';
import type { CommandReport } from '../commands/command.ts';
import type { EvalItem } from '../evals/eval-item.ts';
import { parseEvals } from '../evals/parse-evals.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

const maxBytes = 4 * 2 ** 20;

/**
 * Reads cases that lie outside of the skills, where no agent reads them: one file of evaluations
 * with a `skill_name`, or a list of such.
 *
 * @throws {SkillError} `invalid-options` for a file that holds none
 */
export async function readCases(full: string, report: Pick<CommandReport, 'diagnostic'>): Promise<EvalItem[]> {
  const text = await readFile(full, 'utf8').catch((cause: unknown) => {
    throw invalid(`cannot be read: ${(cause as Error).message}`);
  });
  if (Buffer.byteLength(text) > maxBytes) throw invalid(`has more than ${maxBytes} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw invalid(`is no JSON: ${(cause as Error).message}`);
  }
  const items = (Array.isArray(json) ? (json as unknown[]) : [json]).flatMap((part) => {
    const skill = isJsonObject(part) ? fieldOf(part, 'skill_name') : undefined;
    if (typeof skill !== 'string') throw invalid('does not say which skill a case is about. Write { "skill_name": "…", "evals": […] }');
    const found = parseEvals(JSON.stringify(part), { skill, file: full, names: new Set([skill]) });
    for (const diagnostic of found.diagnostics) report.diagnostic(diagnostic);
    return found.items;
  });
  // Files of a case lie in a skill, and this one lies in none.
  if (items.some(({ files }) => files.length > 0)) throw invalid('has cases with files, which only cases in a skill can have');
  return items;

  function invalid(why: string): SkillError {
    return wrongUsage(`The file of --cases ${full} ${why}.`, { path: full });
  }
}
