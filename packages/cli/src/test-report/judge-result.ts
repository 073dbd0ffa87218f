import { shareText } from '../model/wilson.ts';
import { oneLine } from '../text/one-line.ts';
import type { TestFailure, TestResult } from './test-result.ts';

/** What a library must reach. */
export interface TestBars {
  /** The least share of requests whose own skill comes first. */
  readonly minFirst: number | undefined;
  /** The least activation rate of each skill. */
  readonly minActivation: number | undefined;
  /** The highest rate at which a skill may be loaded for requests that it is not meant for. */
  readonly maxFalse: number | undefined;
}

/**
 * What fails the build: errors of lint, what became worse than the baseline (all collisions without
 * one), and bars that are not reached.
 */
export function judgeResult({ lint, places, routing, regressions, measured }: Omit<TestResult, 'failures'>, bars: TestBars): TestFailure[] {
  const failures: TestFailure[] = (lint ?? []).map(({ skill = '', message, code, path, line }) => ({
    kind: 'lint',
    skill,
    ...(path !== undefined && { path, line: line ?? 1 }),
    message: `${message} [${code}]`,
  }));
  for (const { skill, prompt, by, isNew, words } of regressions?.taken ?? []) {
    const message = `${by}${isNew ? ', which is new,' : ''} takes the request ${JSON.stringify(oneLine(prompt, 100))} from ${skill}${wordsText(words)}.`;
    failures.push({ kind: 'taken', skill, message });
  }
  for (const { skills, words } of (regressions ?? routing).collisions) {
    failures.push({
      kind: 'collision',
      skill: skills[0],
      message: `${skills[0]} and ${skills[1]} claim the same requests${wordsText(words)}.`,
    });
  }
  if (bars.minFirst !== undefined && (routing.firstShare ?? 1) < bars.minFirst) {
    const message = `Only ${percent(routing.firstShare ?? 0)} of the requests find their own skill first; the bar is ${percent(bars.minFirst)}.`;
    failures.push({ kind: 'share', skill: '', message });
  }
  for (const { skill, activated, falselyActivated } of measured?.activation ?? []) {
    if (bars.minActivation !== undefined && (activated.share ?? 1) < bars.minActivation)
      failures.push({
        kind: 'activation',
        skill,
        message: `${skill} was loaded in ${shareText(activated)} of its requests; the bar is ${percent(bars.minActivation)}.`,
      });
    if (bars.maxFalse !== undefined && (falselyActivated.share ?? 0) > bars.maxFalse)
      failures.push({
        kind: 'false-activation',
        skill,
        message: `${skill} was loaded in ${shareText(falselyActivated)} of the requests of others; the bar is ${percent(bars.maxFalse)}.`,
      });
  }
  for (const { skill, verdict, withSkill, withoutSkill } of measured?.effect ?? []) {
    if (verdict === 'harms')
      failures.push({
        kind: 'harm',
        skill,
        message: `${skill} makes answers worse: ${shareText(withSkill)} of the assertions hold with it, ${shareText(withoutSkill)} without.`,
      });
  }
  return failures.map((failure) => (failure.path === undefined ? { ...failure, ...places[failure.skill] } : failure));
}

/** Where a finding is, for people: `skills/a/SKILL.md:3`, or nothing. */
export function placeText({ path, line }: Pick<TestFailure, 'path' | 'line'>): string {
  return path === undefined ? '' : `${path}:${line ?? 1}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function wordsText(words: readonly string[]): string {
  return words.length === 0 ? '' : `, by the words ${words.join(', ')}`;
}
