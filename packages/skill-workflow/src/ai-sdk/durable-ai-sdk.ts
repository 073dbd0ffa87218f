import { SkillError } from '@repertoire/skills-core';
import { wrapLanguageModel, type LanguageModel, type ToolSet } from 'ai';
import type { DurableAgent } from '../agent/durable-agent.ts';
import { lastOf } from './ai-sdk-tools.ts';
import { answerOf, recordAnswer, recordStream, streamOf, type AiSdkModel } from './model-records.ts';

/** What `generateText`, `streamText` or `ToolLoopAgent` get, as far as it matters here. */
export interface DurableAiSdkSettings {
  readonly model: LanguageModel;
  readonly tools?: ToolSet | undefined;
  readonly prepareStep?: ((step: never) => unknown) | undefined;
}

/** An agent of the AI SDK in one run of a durable workflow. */
export interface DurableAiSdk {
  /** A model whose calls are steps. `settings` does it for all models of a call. */
  model(model: LanguageModel): AiSdkModel;
  /**
   * Makes tools whose calls are steps. Give them to `aiSdkSkills`, so that the gates stand around
   * the steps. A tool gets its idempotency key as `toolCallId`. Of a tool that streams, the last
   * value is recorded. Tools without `execute` stay as they are.
   */
  tools<TOOLS extends ToolSet>(tools: TOOLS): TOOLS;
  /**
   * Returns the settings with a durable model, ordered tools, and no retries, which are the
   * engine's.
   */
  settings<SETTINGS extends DurableAiSdkSettings>(settings: SETTINGS): SETTINGS & { readonly maxRetries: 0 };
}

/**
 * Makes an agent of the AI SDK durable: `generateText`, `streamText` and `ToolLoopAgent` run as
 * they are, inside the workflow of an engine. Each model call and each tool call is a step. A
 * streamed answer streams when it is recorded, all at once.
 *
 * @throws {SkillError} `invalid-options` from `model` and `settings`, for the name of a model: give
 *   the model itself
 * @example
 * ```ts
 * import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
 * import type { DurableAgent } from '@repertoire/skill-workflow/agent';
 * import { durableAiSdk } from '@repertoire/skill-workflow/ai-sdk';
 * import type { SkillProvider } from '@repertoire/skills-core';
 * import { generateText, isStepCount, type LanguageModel, type ToolSet } from 'ai';
 *
 * export async function answer(durable: DurableAgent, provider: SkillProvider, model: LanguageModel, tools: ToolSet, prompt: string): Promise<string> {
 *   const { skillset, session } = await durable.openSkills({ provider });
 *   const sdk = durableAiSdk(durable);
 *   const skills = await aiSdkSkills(skillset, { session, tools: sdk.tools(tools) });
 *   const settings = sdk.settings({ model, ...skills.agentSettings({ instructions: 'You are a support agent.' }) });
 *   const { text } = await generateText({ ...settings, prompt, stopWhen: isStepCount(20) });
 *   return text;
 * }
 * ```
 */
export function durableAiSdk(durable: DurableAgent): DurableAiSdk {
  const sdk: DurableAiSdk = {
    model(model) {
      if (typeof model === 'string') {
        throw new SkillError(
          'invalid-options',
          `A durable agent needs the model itself, and got the name ${JSON.stringify(model)}. Make it with its provider, such as gateway(${JSON.stringify(model)}).`,
        );
      }
      return wrapLanguageModel({
        model,
        middleware: {
          specificationVersion: 'v4',
          wrapGenerate: async ({ model: asked, params }) =>
            answerOf(
              await durable.askModel(async (signal) =>
                recordAnswer(await asked.doGenerate(signal === undefined ? params : { ...params, abortSignal: signal })),
              ),
            ),
          wrapStream: async ({ model: asked, params }) => ({
            stream: streamOf(
              await durable.askModel(async (signal) => {
                const { stream } = await asked.doStream(signal === undefined ? params : { ...params, abortSignal: signal });
                return await recordStream(stream);
              }),
            ),
          }),
        },
      });
    },
    tools: <TOOLS extends ToolSet>(tools: TOOLS) => mapTools(tools, (tool) => asStep(durable, tool)) as TOOLS,
    settings<SETTINGS extends DurableAiSdkSettings>({ ...settings }: SETTINGS) {
      const { model, tools, prepareStep } = settings;
      return {
        ...settings,
        model: sdk.model(model),
        maxRetries: 0 as const,
        ...(tools !== undefined && { tools: mapTools(tools, (tool) => inTurn(durable, tool)) }),
        ...(prepareStep !== undefined && {
          prepareStep: async (step: never) => {
            const prepared = (await prepareStep(step)) as { readonly model?: LanguageModel } | undefined;
            return prepared?.model === undefined ? prepared : { ...prepared, model: sdk.model(prepared.model) };
          },
        }),
      };
    },
  };
  return sdk;
}

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool['execute']>;

function mapTools(tools: ToolSet, change: (tool: AnyTool) => AnyTool): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, tool.execute === undefined ? tool : change(tool)]));
}

function asStep<TOOL extends AnyTool>(durable: DurableAgent, tool: TOOL): TOOL {
  const execute: Execute = (input, options) =>
    durable.callTool(options.toolCallId, async ({ idempotencyKey, signal }) => {
      const given = { ...options, toolCallId: idempotencyKey, ...(signal !== undefined && { abortSignal: signal }) };
      return await lastOf(tool.execute?.(input as never, given as never));
    });
  return { ...tool, execute };
}

/** Orders the calls of a tool. If it streams, it keeps streaming its progress. */
function inTurn<TOOL extends AnyTool>(durable: DurableAgent, tool: TOOL): TOOL {
  const execute = (input: never, options: Parameters<Execute>[1]): unknown => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let result: unknown;
    const turn = durable.inTurn<unknown>(options.toolCallId, async (toolCallId) => {
      result = tool.execute?.(input, { ...options, toolCallId } as never);
      return isStream(result) ? await ended : await result;
    });
    return isStream(result) ? untilEnd(result, end) : turn;
  };
  return { ...tool, execute: execute as Execute };
}

async function* untilEnd(stream: AsyncIterable<unknown>, end: () => void): AsyncGenerator {
  try {
    yield* stream;
  } finally {
    end();
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
