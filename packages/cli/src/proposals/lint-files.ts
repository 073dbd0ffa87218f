import { createSkillset } from '@repertoire/skills-core';
import type { SkillFilesByPath } from '@repertoire/skill-proposals';
import type { ProposalFinding } from '@repertoire/skill-proposals/check';
import { lintOne } from '../lint/lint-one.ts';
import { lintRules } from '../lint/lint-rules.ts';
import { readLintSkill } from '../lint/read-lint-skill.ts';
import { proposedProvider } from './proposed-provider.ts';

const rules = lintRules.filter(({ kind }) => kind === 'correctness');
const { countTokens } = createSkillset({ skills: [] });

/** What the rules of `lint` find in the files of one skill. */
export async function lintFiles(skill: string, files: SkillFilesByPath, signal: AbortSignal): Promise<ProposalFinding[]> {
  const provider = proposedProvider(skill, files);
  const [metadata] = (await provider.listSkills({ signal })).skills;
  if (metadata === undefined) return [{ code: 'format', severity: 'error', message: 'SKILL.md cannot be read.', path: 'SKILL.md' }];
  const read = await readLintSkill({ folder: null, shown: skill, provider, metadata }, signal);
  if (read === null) return [];
  const { findings } = await lintOne(read, rules, { tools: undefined, budgets: {}, forPeople: [], countTokens });
  return findings.map(([id, { file, line, message }]) => ({
    code: id,
    severity: rules.find((rule) => rule.id === id)?.severity ?? 'warning',
    message,
    path: file ?? 'SKILL.md',
    ...(line !== undefined && { line }),
  }));
}
