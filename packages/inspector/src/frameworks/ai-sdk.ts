import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  type JSONSchema7,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import { conversationRuns, type PlayedAnswer } from '../replay/conversation-runs.ts';
import { turnPlayer, type TurnPlayer } from '../replay/turn-player.ts';
import { asText } from '../recording/json-shape.ts';
import type { RecordedTool } from '../recording/recording.ts';
import type { FrameworkReplay, ReplayInput } from './framework-replay.ts';
import type { ModelRequest } from './model-request.ts';

type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: 'v4' };
type CallOptions = Parameters<Model['doGenerate']>[0];
type Generated = Awaited<ReturnType<Model['doGenerate']>>;

/** What the AI SDK sends to a model, as texts. */
export function aiSdkRequest({ prompt, tools = [] }: Pick<CallOptions, 'prompt' | 'tools'>): ModelRequest {
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    messages: prompt.flatMap((message) => (message.role === 'system' ? [] : [JSON.stringify(message)])),
    tools: tools.map((tool) => JSON.stringify(tool)),
  };
}

/** Plays a recording through the AI SDK: only the model and the host's tools are stand-ins. */
export async function replayAiSdk({ recording, skillset, settings, tools, signal }: ReplayInput): Promise<FrameworkReplay> {
  const player = turnPlayer(recording, 'ai-sdk');
  const { isOwn } = player;
  const model: Model = {
    specificationVersion: 'v4',
    provider: 'recording',
    modelId: 'recording',
    supportedUrls: {},
    doGenerate: async (options) => generated(player.answer(aiSdkRequest(options))),
    doStream: () => Promise.reject(new Error('A replay does not stream.')),
  };
  const hostTools = Object.fromEntries(tools.map((tool) => [tool.name, standIn(tool, player)]));
  const skills = await aiSdkSkills(skillset, { tools: hostTools, gate: settings.gate, signal });
  const messages: ModelMessage[] = [];
  const runs = conversationRuns(recording);
  for (const run of runs) {
    player.begin(run);
    messages.push(...run.user.map(({ text, raw }) => ({ role: 'user', content: isOwn ? (raw ?? text) : text }) as ModelMessage));
    if (messages.length === 0) continue;
    const { responseMessages } = await generateText({
      model,
      messages,
      // Only behind the last run there is a request that nobody recorded the answer of.
      stopWhen: isStepCount(run === runs.at(-1) ? run.answers.length + 1 : run.answers.length),
      maxRetries: 0,
      ...(signal !== undefined && { abortSignal: signal }),
      ...skills.agentSettings({ instructions: settings.instructions }),
      onStepEnd: ({ content }) => {
        for (const part of content) if (part.type === 'tool-result') player.note(part.toolCallId, asText(part.output));
      },
    });
    messages.push(...responseMessages);
  }
  return player;
}

function standIn({ description, inputSchema }: RecordedTool, { isOwn, resultOf, outputOf }: TurnPlayer): ToolSet[string] {
  return dynamicTool({
    description,
    inputSchema: jsonSchema(structuredClone(inputSchema) as JSONSchema7),
    execute: async (_input, { toolCallId }) => {
      const result = resultOf(toolCallId);
      // Without a name: the SDK tells a model `name: message`, and the recording has both already.
      if (result?.isFailed === true) throw Object.assign(new Error(result.output), { name: '' });
      return outputOf(toolCallId);
    },
    toModelOutput: ({ toolCallId, output }) => {
      const raw = resultOf(toolCallId)?.raw;
      return isOwn && isOutput(raw) ? raw : { type: 'text', value: asText(output) };
    },
  });
}

type ToolOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>;

function isOutput(raw: unknown): raw is ToolOutput {
  return typeof raw === 'object' && raw !== null && 'type' in raw && 'value' in raw;
}

function generated(played: PlayedAnswer | null): Generated {
  const content = (played?.answer.parts ?? []).map((part) => {
    const metadata = part.metadata === undefined ? {} : { providerMetadata: part.metadata };
    return part.type === 'call'
      ? { type: 'tool-call', toolCallId: part.id, toolName: part.tool, input: JSON.stringify(part.input ?? {}), ...metadata }
      : { type: part.type, text: part.text, ...metadata };
  }) as Generated['content'];
  const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
  return {
    content,
    finishReason: { unified, raw: unified },
    usage: { inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 0, text: 0, reasoning: 0 } },
    warnings: [],
  };
}
