import { shareText } from '../model/wilson.ts';
import { count } from '../text/count.ts';
import { percent, placeText } from './judge-result.ts';
import { shortPrompt } from './text-report.ts';
import type { TestFailure, TestResult } from './test-result.ts';

const maxRows = 20;

/**
 * The result as Markdown, for a comment on a pull request. The first line is the same in every
 * report, so that a comment can be found and replaced.
 */
export function markdownReport({ lint, routing, regressions, measured, failures }: TestResult): string {
  const wanted = routing.prompts.filter(({ shouldTrigger }) => shouldTrigger);
  const share = routing.firstShare === null ? '' : `, ${percent(routing.firstShare)} find their own skill first`;
  const parts = [
    '<!-- repertoire test -->',
    failures.length === 0 ? '### Skills: passed' : `### Skills: ${count(failures.length, 'finding')}`,
    `${count(routing.skills.length, 'skill')}, ${count(wanted.length, 'request')}${share}. Lint: ${lint === null ? 'did not run' : lint.length === 0 ? 'no errors' : count(lint.length, 'error')}.`,
    list(failures),
    table(
      'Taken since the baseline',
      ['request', 'from', 'by', 'words'],
      (regressions?.taken ?? []).map(({ prompt, skill, by, words }) => [shortPrompt(prompt), skill, by, words.join(', ')]),
    ),
    table(
      'Skills that claim the same requests',
      ['skill', 'skill', 'likeness', 'words'],
      routing.collisions.map(({ skills: [a, b], likeness, words }) => [a, b, percent(likeness), words.join(', ')]),
    ),
    table(
      'Requests that another skill gets first',
      ['skill', 'first', 'requests', 'words', 'such as'],
      routing.stolen.map(({ from, by, prompts, words }) => [
        from,
        by,
        String(prompts.length),
        words.join(', '),
        shortPrompt(prompts[0] ?? ''),
      ]),
    ),
    ...(measured === null
      ? []
      : [
          table(
            `Activation with ${measured.model}, ${measured.runs} runs a request`,
            ['skill', 'activated', 'falsely', 'instead'],
            measured.activation.map(({ skill, activated, falselyActivated, instead }) => [
              skill,
              shareText(activated),
              shareText(falselyActivated),
              Object.keys(instead).join(', '),
            ]),
          ),
          table(
            'Assertions that hold',
            ['skill', 'with it', 'without it', ''],
            (measured.effect ?? []).map(({ skill, withSkill, withoutSkill, verdict }) => [
              skill,
              shareText(withSkill),
              shareText(withoutSkill),
              verdict,
            ]),
          ),
          `${count(measured.usage.calls, 'call')}, ${measured.usage.inputTokens} tokens in, ${measured.usage.outputTokens} out${measured.usage.cost === null ? '' : `, cost ${measured.usage.cost.toFixed(4)}`}.`,
        ]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function list(failures: readonly TestFailure[]): string {
  const rest = failures.length > maxRows ? [`- … and ${failures.length - maxRows} more`] : [];
  const lines = failures.slice(0, maxRows).map((failure) => {
    const where = [failure.skill, placeText(failure)].filter((part) => part !== '').map(cell);
    return `- ${where.length === 0 ? '' : `${where.join(', ')}: `}${cell(failure.message)}`;
  });
  return [...lines, ...rest].join('\n');
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [head, head.map(() => '---'), ...rows.slice(0, maxRows).map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`);
  const rest = rows.length > maxRows ? `\n\n… and ${rows.length - maxRows} more` : '';
  return `<details><summary>${cell(title)} (${rows.length})</summary>\n\n${lines.join('\n')}${rest}\n\n</details>`;
}

/** Text of skills is anybody's: it makes no link, no mention of people, no HTML and no column. */
function cell(text: string): string {
  return text
    .replace(/\p{C}|\s+/gu, ' ')
    .replace(/[\\`*_[\]<>|#!~]/g, '\\$&')
    .replaceAll('@', '@\u200B')
    .replace(/(https?):\/\//gi, '$1:\u200B//');
}
