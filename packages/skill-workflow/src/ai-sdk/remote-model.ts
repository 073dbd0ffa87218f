import type { LanguageModel } from 'ai';
import { fromRecord, toRecord } from '../agent/record-values.ts';
import { answerOf, recordAnswer, type AiSdkModel, type AiSdkModelOptions } from './model-records.ts';

/** Options of {@link remoteAiSdkModel}. */
export interface RemoteAiSdkModelOptions {
  /** Asks the model where it is. Request and answer are JSON. */
  readonly ask: (request: unknown) => Promise<unknown>;
  /** @default 'remote' */
  readonly provider?: string | undefined;
  /** @default 'remote' */
  readonly modelId?: string | undefined;
  /** Addresses that the model reads by itself, by media type. @default none */
  readonly supportedUrls?: Record<string, RegExp[]> | undefined;
}

/**
 * A model of the AI SDK that is asked elsewhere: in an activity, where the loop runs in a sandbox
 * without a network. It does not stream.
 *
 * @example
 * ```ts
 * import { durableAiSdk, remoteAiSdkModel } from '@repertoire/skill-workflow/ai-sdk';
 * import type { TemporalAgentParts } from '@repertoire/skill-workflow/temporal';
 * import { generateText } from 'ai';
 *
 * // In the loop that `temporalAgent` runs:
 * export async function answer({ durable, askModel }: TemporalAgentParts, prompt: string): Promise<string> {
 *   const settings = durableAiSdk(durable).settings({ model: remoteAiSdkModel({ ask: askModel }) });
 *   return (await generateText({ ...settings, prompt })).text;
 * }
 * ```
 */
export function remoteAiSdkModel({
  ask,
  provider = 'remote',
  modelId = 'remote',
  supportedUrls = {},
}: RemoteAiSdkModelOptions): AiSdkModel {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: async ({ abortSignal: _signal, ...request }) => answerOf(await ask(toRecord(request))),
    doStream: async () => {
      throw new Error('A model that is asked elsewhere does not stream. Use generateText or agent.generate.');
    },
  };
}

/**
 * Answers a request of {@link remoteAiSdkModel} with a real model. Tries once.
 *
 * @example
 * ```ts
 * import { aiSdkAnswer } from '@repertoire/skill-workflow/ai-sdk';
 * import { temporalAgentActivities, type TemporalAgentActivities } from '@repertoire/skill-workflow/temporal';
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import type { LanguageModel } from 'ai';
 *
 * export function activitiesOf(provider: SkillProvider, model: Exclude<LanguageModel, string>): TemporalAgentActivities {
 *   return temporalAgentActivities({ provider, model: (request, signal) => aiSdkAnswer(model, request, signal) });
 * }
 * ```
 */
export async function aiSdkAnswer(model: Exclude<LanguageModel, string>, request: unknown, signal?: AbortSignal): Promise<unknown> {
  const options = { ...(fromRecord(request) as AiSdkModelOptions), ...(signal !== undefined && { abortSignal: signal }) };
  return recordAnswer(await (model as AiSdkModel).doGenerate(options));
}
