import { shareText } from '../model/wilson.ts';
import { placeText } from './judge-result.ts';
import { shortPrompt } from './text-report.ts';
import type { SkillPlace, TestFailure, TestResult } from './test-result.ts';

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly failure?: string | undefined;
  /** Where the skill has its description, or what is wrong. */
  readonly place?: SkillPlace | undefined;
}

/**
 * The result as JUnit XML, which build servers show: one case for each skill's lint, for each
 * request, for each pair of skills, for each activation rate. A request that another skill gets
 * first is only a failure where the baseline or a bar says so.
 */
export function junitReport(result: TestResult): string {
  const cases = casesOf(result);
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(([suite, own]) => {
    const inner = own.map(caseXml).join('\n');
    return `  <testsuite name="${escapeXml(suite)}" tests="${own.length}" failures="${own.filter(({ failure }) => failure !== undefined).length}" errors="0" skipped="0">\n${inner}\n  </testsuite>`;
  });
  const failed = cases.filter(({ failure }) => failure !== undefined).length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="repertoire test" tests="${cases.length}" failures="${failed}" errors="0">\n${suites.join('\n')}\n</testsuites>\n`;
}

function casesOf(result: TestResult): Case[] {
  return [...lintCases(result), ...routingCases(result), ...measuredCases(result)];
}

function lintCases({ lint, places, routing: { skills }, failures }: TestResult): Case[] {
  if (lint === null) return [];
  return [
    ...skills.map((skill) => {
      const at = failures.find((failure) => failure.kind === 'lint' && failure.skill === skill && failure.path !== undefined);
      return { suite: 'lint', name: skill, failure: messagesOf(failures, 'lint', skill), place: placeOf(at ?? {}) ?? places[skill] };
    }),
    ...lint
      .filter(({ skill }) => !skills.includes(skill ?? ''))
      .map((error) => ({ suite: 'lint', name: error.skill ?? '', failure: error.message, place: placeOf(error) })),
  ];
}

function routingCases({ places, routing, regressions, failures }: TestResult): Case[] {
  const taken = new Map((regressions?.taken ?? []).map((each) => [JSON.stringify([each.skill, each.prompt]), each]));
  return [
    ...routing.prompts
      .filter(({ shouldTrigger }) => shouldTrigger)
      .map(({ skill, prompt }): Case => {
        const loss = taken.get(JSON.stringify([skill, prompt]));
        return {
          suite: 'routing',
          name: `${skill}: ${shortPrompt(prompt)}`,
          failure: loss && `${loss.by} takes the request ${JSON.stringify(prompt)}, by the words ${loss.words.join(', ')}.`,
          place: places[skill],
        };
      }),
    ...(regressions ?? routing).collisions.map(({ skills: [a, b], words }) => ({
      suite: 'collisions',
      name: `${a} and ${b}`,
      failure:
        `They claim the same requests, by the words ${words.join(', ')}. ${[a, b].map((name) => placeText(places[name] ?? {})).join(' ')}`.trimEnd(),
      place: places[a],
    })),
    ...failures
      .filter(({ kind }) => kind === 'share')
      .map(({ message }) => ({ suite: 'routing', name: 'share of requests that find their own skill first', failure: message })),
  ];
}

function measuredCases({ measured, failures }: TestResult): Case[] {
  return [
    ...(measured?.activation ?? []).map(({ skill, activated, falselyActivated }) => ({
      suite: 'activation',
      name: `${skill}: ${shareText(activated)}${falselyActivated.tries === 0 ? '' : `, falsely ${shareText(falselyActivated)}`}`,
      failure: messagesOf(failures, 'activation', skill) ?? messagesOf(failures, 'false-activation', skill),
    })),
    ...(measured?.effect ?? []).map(({ skill, withSkill, withoutSkill }) => ({
      suite: 'effect',
      name: `${skill}: ${shareText(withSkill)} with, ${shareText(withoutSkill)} without`,
      failure: messagesOf(failures, 'harm', skill),
    })),
  ];
}

function messagesOf(failures: readonly TestFailure[], kind: TestFailure['kind'], skill: string): string | undefined {
  const messages = failures
    .filter((failure) => failure.kind === kind && failure.skill === skill)
    .map((failure) => [placeText(failure), failure.message].filter((part) => part !== '').join(' '));
  return messages.length === 0 ? undefined : messages.join('\n');
}

function placeOf({ path, line = 1 }: Pick<TestFailure, 'path' | 'line'>): SkillPlace | undefined {
  return path === undefined ? undefined : { path, line };
}

function caseXml({ suite, name, failure, place }: Case): string {
  const at = place === undefined ? '' : ` file="${escapeXml(place.path)}" line="${place.line}"`;
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"${at}`;
  if (failure === undefined) return `${head}/>`;
  return `${head}>\n      <failure message="${escapeXml(failure.split('\n', 1)[0] ?? '')}">${escapeXml(failure)}</failure>\n    </testcase>`;
}

/**
 * Text of skills is anybody's: characters that no XML may hold are replaced, the others escaped.
 */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}
