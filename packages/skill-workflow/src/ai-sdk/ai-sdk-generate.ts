import { generateText, type LanguageModel } from 'ai';
import type { Generate } from '../run/workflow-tool-function.ts';

/** Options of {@link aiSdkGenerate}. */
export interface AiSdkGenerateOptions {
  /** The most tokens of an answer. @default the model's */
  readonly maxOutputTokens?: number | undefined;
  /** @default the model's */
  readonly temperature?: number | undefined;
}

/**
 * Prompt steps with a model of the AI SDK. Retries are those of the workflow's policy, or the
 * engine's, so the SDK itself makes none.
 *
 * @example
 * ```ts
 * import { runWorkflow, type WorkflowTools } from '@repertoire/skill-workflow';
 * import { aiSdkGenerate } from '@repertoire/skill-workflow/ai-sdk';
 * import type { Skill } from '@repertoire/skills-core';
 * import type { LanguageModel } from 'ai';
 *
 * export async function run(skill: Skill, model: LanguageModel, tools: WorkflowTools): Promise<unknown> {
 *   return (await runWorkflow(skill, { tools, generate: aiSdkGenerate(model) })).output;
 * }
 * ```
 */
export function aiSdkGenerate(model: LanguageModel, { maxOutputTokens, temperature }: AiSdkGenerateOptions = {}): Generate {
  return async ({ system, prompt }, { signal }) => {
    const { text } = await generateText({
      model,
      instructions: system,
      prompt,
      maxRetries: 0,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(signal !== undefined && { abortSignal: signal }),
    });
    return text;
  };
}
