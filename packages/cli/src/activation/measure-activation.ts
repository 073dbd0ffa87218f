import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
import { forEachBounded } from '@repertoire/skills-core/provider';
import type { LanguageModel } from 'ai';
import type { EvalItem } from '../evals/eval-item.ts';
import { importOptional } from '../optional/import-optional.ts';
import { measuredShare, type MeasuredShare } from '../model/wilson.ts';
import { promptOf } from './prompt-of.ts';
import type { UsageMeter } from './usage.ts';

/** How often a model chose a skill. */
export interface SkillActivation {
  readonly skill: string;
  /** Of the tries with requests that it is meant for, those in which it was loaded. */
  readonly activated: MeasuredShare;
  /** Of the tries with requests that it is not meant for, those that loaded it. */
  readonly falselyActivated: MeasuredShare;
  /** Other skills that were loaded instead, by how often. */
  readonly instead: Readonly<Record<string, number>>;
  readonly prompts: readonly {
    readonly id: string;
    readonly prompt: string;
    readonly shouldTrigger: boolean;
    readonly loaded: number;
    readonly tries: number;
  }[];
}

/** What is measured, and with what. */
export interface ActivationOptions {
  readonly provider: SkillProvider;
  readonly items: readonly EvalItem[];
  readonly model: LanguageModel;
  /** Tries for each request. */
  readonly runs: number;
  readonly concurrency: number;
  readonly usage: UsageMeter;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** A model may look for a skill first, then load it. */
const maxSteps = 3;
export const baseInstructions = 'You are a helpful assistant. Use the skills that fit the request.';

/** Measures how often a model loads a skill, which stands in the catalog among all others. */
export async function measureActivation(options: ActivationOptions): Promise<SkillActivation[]> {
  const { generateText, hasToolCall, stepCountIs } = await importOptional('ai', 'Measuring with a model needs', () => import('ai'));
  const { aiSdkSkills } = await importOptional(
    ['@repertoire/adapter-vercel-ai', 'ai'],
    'Measuring with a model needs',
    () => import('@repertoire/adapter-vercel-ai'),
  );
  const { provider, items, model, runs, usage, signal } = options;
  const skillset = createSkillset({ provider, onDiagnostic: 'silent' });
  const { load } = skillset.toolNames;
  const tries = items.flatMap((item) => Array.from({ length: runs }, () => ({ item, loaded: [] as string[] })));
  let done = 0;
  await forEachBounded(tries, options.concurrency, async (attempt) => {
    signal.throwIfAborted();
    const skills = await aiSdkSkills(skillset, { signal });
    try {
      const { steps, totalUsage } = await generateText({
        model,
        ...skills.agentSettings({ instructions: baseInstructions }),
        prompt: await promptOf(attempt.item, provider, signal),
        stopWhen: [hasToolCall(load), stepCountIs(maxSteps)],
        abortSignal: signal,
      });
      usage.add(steps.length, totalUsage);
      for (const { toolName, input } of steps.flatMap(({ toolCalls }) => toolCalls)) {
        const name: unknown = toolName === load && typeof input === 'object' && input !== null && 'name' in input ? input.name : undefined;
        if (typeof name === 'string') attempt.loaded.push(name);
      }
    } finally {
      await skills.close();
    }
    done += 1;
    options.onProgress(done, tries.length);
  });
  return [...Map.groupBy(tries, ({ item }) => item.skill)].map(([skill, own]) => activationOf(skill, own));
}

function activationOf(skill: string, tries: readonly { readonly item: EvalItem; readonly loaded: readonly string[] }[]): SkillActivation {
  const rate = (shouldTrigger: boolean): MeasuredShare => {
    const those = tries.filter(({ item }) => item.shouldTrigger === shouldTrigger);
    return measuredShare(those.filter(({ loaded }) => loaded.includes(skill)).length, those.length);
  };
  const instead: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const { item, loaded } of tries) {
    if (!item.shouldTrigger || loaded.includes(skill)) continue;
    for (const name of new Set(loaded)) instead[name] = (instead[name] ?? 0) + 1;
  }
  const prompts = [...Map.groupBy(tries, ({ item }) => item)].map(([{ id, prompt, shouldTrigger }, own]) => ({
    id,
    prompt,
    shouldTrigger,
    loaded: own.filter(({ loaded }) => loaded.includes(skill)).length,
    tries: own.length,
  }));
  return { skill, activated: rate(true), falselyActivated: rate(false), instead, prompts };
}
