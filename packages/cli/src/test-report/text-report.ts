import { shareText } from '../model/wilson.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/count.ts';
import { oneLine } from '../text/one-line.ts';
import { percent, placeText } from './judge-result.ts';
import type { TestResult } from './test-result.ts';

const maxRows = 15;
const maxPrompts = 3;

/** The result for people, on a terminal. */
export function textReport(result: TestResult): string {
  const { lint, places, routing, regressions, measured, failures } = result;
  const wanted = routing.prompts.filter(({ shouldTrigger }) => shouldTrigger);
  const negatives = routing.prompts.length - wanted.length;
  const lines = [
    lint === null ? 'Lint: did not run.' : `Lint: ${lint.length === 0 ? 'no errors' : count(lint.length, 'error')}.`,
    `Routing by words: ${count(routing.skills.length, 'skill')}, ${count(wanted.length, 'request')}${negatives === 0 ? '' : `, ${negatives} for others`}.`,
    ...(routing.firstShare === null || routing.amongFiveShare === null
      ? ['  No skill has evals/evals.json, so only descriptions are compared.']
      : [`  own skill first ${percent(routing.firstShare)}, among the first five ${percent(routing.amongFiveShare)}`]),
  ];
  if (routing.stolen.length > 0) {
    const entries = routing.stolen
      .slice(0, maxRows)
      .map(
        ({ from, by, prompts, words }) => [`${from} -> ${by}: ${count(prompts.length, 'request')}`, words, promptLines(prompts)] as const,
      );
    lines.push('', 'Requests that another skill gets first:', ...entries.flatMap(entryLines), ...more(routing.stolen.length));
  }
  if (routing.collisions.length > 0) {
    const entries = routing.collisions
      .slice(0, maxRows)
      .map(
        ({ skills: [a, b], likeness, words }) => [`${a} = ${b}: ${percent(likeness)} alike`, words, placeLines([a, b], places)] as const,
      );
    lines.push('', 'Skills that claim the same requests:', ...entries.flatMap(entryLines), ...more(routing.collisions.length));
  }
  if (regressions !== null) {
    lines.push(
      '',
      regressions.taken.length === 0
        ? 'No request was taken since the baseline.'
        : `${count(regressions.taken.length, 'request')} taken since the baseline.`,
    );
  }
  if (measured !== null) lines.push(...measuredLines(measured));
  // Without a baseline, every pair above is a finding.
  const told = regressions === null ? failures.filter(({ kind }) => kind !== 'collision') : failures;
  lines.push(
    '',
    ...(failures.length === 0
      ? ['Passed.']
      : [
          ...told.map((failure) => `- ${[placeText(failure), failure.message].filter((part) => part !== '').join('  ')}`),
          `Failed: ${count(failures.length, 'finding')}.`,
        ]),
  );
  return lines.join('\n');
}

function measuredLines({ model, runs, activation, effect, usage }: NonNullable<TestResult['measured']>): string[] {
  const rows = activation.map(({ skill, activated, falselyActivated, instead }) => [
    `  ${skill}`,
    shareText(activated),
    falselyActivated.tries === 0 ? '' : `falsely ${shareText(falselyActivated)}`,
    Object.keys(instead).length === 0 ? '' : `instead: ${Object.keys(instead).join(', ')}`,
  ]);
  const cost = usage.cost === null ? '' : `, cost ${usage.cost.toFixed(4)}`;
  return [
    '',
    `Activation with ${model}, ${runs} runs a request, 95 % intervals:`,
    columns(rows),
    ...(effect === null
      ? []
      : [
          '',
          'Assertions that hold with the skill, and without it:',
          columns(
            effect.map(({ skill, withSkill, withoutSkill, verdict }) => [
              `  ${skill}`,
              shareText(withSkill),
              shareText(withoutSkill),
              verdict,
            ]),
          ),
        ]),
    '',
    `${count(usage.calls, 'call')}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}.`,
  ];
}

/** A line for what it is about, and one for its words: they fit where columns would not. */
function entryLines([head, words, others]: readonly [string, readonly string[], readonly string[]]): string[] {
  return [`  ${head}`, ...[...(words.length === 0 ? [] : [words.join(', ')]), ...others].map((line) => `      ${line}`)];
}

function promptLines(prompts: readonly string[]): string[] {
  const rest = prompts.length > maxPrompts ? [`… and ${prompts.length - maxPrompts} more; --json has all`] : [];
  return [...prompts.slice(0, maxPrompts).map((prompt) => JSON.stringify(shortPrompt(prompt))), ...rest];
}

function placeLines(names: readonly string[], places: TestResult['places']): string[] {
  const found = names.map((name) => placeText(places[name] ?? {})).filter((place) => place !== '');
  return found.length === 0 ? [] : [found.join(', ')];
}

function more(total: number): string[] {
  return total <= maxRows ? [] : [`  … and ${total - maxRows} more; --json has all`];
}

/** A prompt in a report. */
export function shortPrompt(prompt: string): string {
  return oneLine(prompt, 100);
}
