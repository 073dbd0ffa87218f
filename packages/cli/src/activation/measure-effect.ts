import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { LanguageModel } from 'ai';
import type { EvalItem } from '../evals/eval-item.ts';
import { importOptional } from '../optional/import-optional.ts';
import { measuredShare, type MeasuredShare } from '../model/wilson.ts';
import { judgeAnswer } from './judge-answer.ts';
import { baseInstructions } from './measure-activation.ts';
import { promptOf } from './prompt-of.ts';
import type { UsageMeter } from './usage.ts';

/** Whether a skill helps: how many assertions hold with it, and without it. */
export interface SkillEffect {
  readonly skill: string;
  readonly withSkill: MeasuredShare;
  readonly withoutSkill: MeasuredShare;
  /** `helps` and `harms`: the intervals do not overlap. `unclear`: they do; more runs may tell. */
  readonly verdict: 'helps' | 'harms' | 'unclear';
}

/** What is measured, and with what. */
export interface EffectOptions {
  readonly provider: SkillProvider;
  /** The library to compare with. @default the same, without the skill of the request */
  readonly without?: SkillProvider | undefined;
  readonly items: readonly EvalItem[];
  readonly model: LanguageModel;
  /** Reads the answers. */
  readonly judge: LanguageModel;
  readonly runs: number;
  readonly concurrency: number;
  readonly usage: UsageMeter;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

const maxSteps = 10;

/** Answers each request with and without the skill, and checks the same assertions on both. */
export async function measureEffect(options: EffectOptions): Promise<SkillEffect[]> {
  const { generateText, stepCountIs } = await importOptional('ai', 'Measuring with a model needs', () => import('ai'));
  const { aiSdkSkills } = await importOptional(
    ['@repertoire/adapter-vercel-ai', 'ai'],
    'Measuring with a model needs',
    () => import('@repertoire/adapter-vercel-ai'),
  );
  const { provider, model, judge, runs, usage, signal } = options;
  const items = options.items.filter(({ shouldTrigger, assertions }) => shouldTrigger && assertions.length > 0);
  const whole = createSkillset({ provider, onDiagnostic: 'silent' });
  const other = options.without === undefined ? null : createSkillset({ provider: options.without, onDiagnostic: 'silent' });
  const tries = items.flatMap((item) =>
    [true, false].flatMap((isWith) => Array.from({ length: runs }, () => ({ item, isWith, held: 0, of: item.assertions.length }))),
  );
  let done = 0;
  await forEachBounded(tries, options.concurrency, async (attempt) => {
    signal.throwIfAborted();
    const { item } = attempt;
    const skillset = attempt.isWith
      ? whole
      : (other ?? createSkillset({ provider, onDiagnostic: 'silent', audience: { select: ({ name }) => name !== item.skill } }));
    const skills = await aiSdkSkills(skillset, { signal });
    try {
      const { text, steps, totalUsage } = await generateText({
        model,
        ...skills.agentSettings({ instructions: baseInstructions }),
        // The files of a case are those of the library, whatever a change does to them.
        prompt: await promptOf(item, options.without ?? provider, signal),
        stopWhen: stepCountIs(maxSteps),
        abortSignal: signal,
      });
      usage.add(steps.length, totalUsage);
      const verdicts = await judgeAnswer({ item, answer: text, model: judge, generateText, usage, signal });
      attempt.held = verdicts.filter((isHeld) => isHeld).length;
    } finally {
      await skills.close();
    }
    done += 1;
    options.onProgress(done, tries.length);
  });
  return [...Map.groupBy(tries, ({ item }) => item.skill)].map(([skill, own]) => {
    const rate = (isWith: boolean): MeasuredShare => {
      const those = own.filter((attempt) => attempt.isWith === isWith);
      return measuredShare(sum(those.map(({ held }) => held)), sum(those.map(({ of }) => of)));
    };
    const [withSkill, withoutSkill] = [rate(true), rate(false)];
    const verdict = withSkill.low > withoutSkill.high ? 'helps' : withSkill.high < withoutSkill.low ? 'harms' : 'unclear';
    return { skill, withSkill, withoutSkill, verdict };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
