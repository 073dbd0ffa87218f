import { isMissing } from '../optional/import-optional.ts';
import type { LintFinding, LintSettings, LintSkill } from './lint-rule.ts';

/** The parser that runs workflows; `undefined` where its package is not installed. */
export async function stepsChecker(tools: LintSettings['tools']): Promise<LintSettings['checkSteps']> {
  try {
    const [{ checkWorkflow }, { workflowSource }] = await Promise.all([
      import('@repertoire/skill-workflow'),
      import('@repertoire/skill-workflow/source'),
    ]);
    return ({ parsed: { metadata }, text }: LintSkill): readonly LintFinding[] => {
      if (metadata?.steps === undefined) return [];
      return checkWorkflow(metadata, { source: workflowSource(text), tools }).map(({ message, fix, line, column }) => ({
        message,
        fix,
        line,
        column,
      }));
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
