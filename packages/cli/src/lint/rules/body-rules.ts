import type { LintRule } from '../lint-rule.ts';

const maxLines = 500;
const maxTokens = 5_000;
const samples = 16;
const fewSamples = 4;
const sampled = 250;

/** A body that costs more than it should. */
export const bodyLength: LintRule = {
  id: 'body-length',
  kind: 'correctness',
  severity: 'warning',
  summary: `The instructions have more than ${maxLines} lines or ${maxTokens} tokens, or there are none.`,
  check: ({ parsed: { body, metadata }, bodyLine }, { countTokens, budgets }) => {
    if (metadata !== null && body.trim() === '')
      return [
        {
          line: bodyLine,
          message: 'There are no instructions, so that loading the skill tells a model nothing.',
          fix: 'Write what to do, step by step.',
        },
      ];
    const [mostLines, mostTokens] = [budgets.bodyLines ?? maxLines, budgets.bodyTokens ?? maxTokens];
    const lines = body.split('\n').length;
    if (lines <= mostLines && isSurelyShort(body, mostTokens, countTokens)) return [];
    const tokens = tokensNear(body, mostTokens, countTokens);
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

/** Whether a text has so few tokens that nobody needs to know how many. */
function isSurelyShort(body: string, most: number, countTokens: (text: string) => number): boolean {
  // Only in Chinese, Japanese and Korean, and of emoji, is a character a token; others have at
  // least two.
  const wide = /[\u2E80-\uFFFF]/.test(body) ? (body.match(/[\u2E80-\uFFFF]/g)?.length ?? 0) : 0;
  return body.length + wide <= 2 * most || estimateOf(body, fewSamples, countTokens) < 0.7 * most;
}

/** Counting is slow, so only a body near the limit is counted whole; others are sampled. */
function tokensNear(body: string, most: number, countTokens: (text: string) => number): number {
  const estimate = estimateOf(body, samples, countTokens);
  return estimate < 0.9 * most || estimate > 1.1 * most ? estimate : countTokens(body);
}

function estimateOf(body: string, count: number, countTokens: (text: string) => number): number {
  const step = Math.max(0, body.length - sampled) / (count - 1);
  const parts = Array.from({ length: count }, (_, index) => body.slice(Math.floor(index * step), Math.floor(index * step) + sampled)).join(
    '\n',
  );
  return Math.round((countTokens(parts) * body.length) / parts.length);
}
