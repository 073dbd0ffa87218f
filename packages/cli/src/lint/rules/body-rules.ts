import type { LintRule } from '../lint-rule.ts';

const maxLines = 500;
const maxTokens = 5_000;
const sampled = 3_000;

/** A body that costs more than it should. */
export const bodyLength: LintRule = {
  id: 'body-length',
  kind: 'correctness',
  severity: 'warning',
  summary: `The instructions have more than ${maxLines} lines or ${maxTokens} tokens.`,
  check: ({ parsed: { body }, bodyLine }, { countTokens, budgets }) => {
    const [mostLines, mostTokens] = [budgets.bodyLines ?? maxLines, budgets.bodyTokens ?? maxTokens];
    const lines = body.split('\n').length;
    // Counting takes longer than all other rules together, and a part tells whether a body comes near the limit.
    if (body.length <= mostTokens && lines <= mostLines) return [];
    const part = body.slice(0, sampled);
    const isSurelyShort = lines <= mostLines && countTokens(part) * (body.length / part.length) < mostTokens / 2;
    const tokens = isSurelyShort ? 0 : countTokens(body);
    if (lines <= mostLines && tokens <= mostTokens) return [];
    return [
      {
        line: bodyLine,
        message: `The instructions have ${lines} lines and about ${tokens} tokens; they should have at most ${mostLines} lines and ${mostTokens} tokens.`,
        fix: 'Move details into files below references/, and say when to read each.',
      },
    ];
  },
};
