import type { LintRule } from '../lint-rule.ts';

const maxLines = 500;
const maxTokens = 5_000;

/** A body that costs more than it should. */
export const bodyLength: LintRule = {
  id: 'body-length',
  kind: 'style',
  severity: 'warning',
  summary: `The instructions have more than ${maxLines} lines or ${maxTokens} tokens.`,
  check: ({ parsed: { body }, bodyLine }, { countTokens }) => {
    const lines = body.split('\n').length;
    const tokens = countTokens(body);
    if (lines <= maxLines && tokens <= maxTokens) return [];
    return [
      {
        line: bodyLine,
        message: `The instructions have ${lines} lines and about ${tokens} tokens; the standard recommends at most ${maxLines} lines and ${maxTokens} tokens.`,
        fix: 'Move details into files below references/, and say when to read each.',
      },
    ];
  },
};
