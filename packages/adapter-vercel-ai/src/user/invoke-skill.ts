import type { SkillCatalog, SkillEvent, Skillset } from '@repertoire/skills-core';
import { parseSkillCommand } from '@repertoire/skills-core/state';
import type { ModelMessage, ToolResultPart, UIMessageChunk } from 'ai';
import type { AiSdkInvocation } from '../ai-sdk-skills-options.ts';
import { forkAnswer, type RunFork } from '../fork/run-fork.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { estimateTokens } from '../state/estimate-tokens.ts';
import type { AnyMessage } from '../state/message-text.ts';
import { hostCallId, hostCallMessages } from '../step/skill-call-messages.ts';

/** What an invocation needs. */
export interface InvokeSkillOptions<Context> {
  readonly skillset: Skillset<Context>;
  readonly catalog: SkillCatalog<Context>;
  readonly state: ConversationState;
  readonly fork: RunFork | undefined;
  readonly modelOutput: (text: string) => ToolResultPart['output'];
}

/** Loads the skill that a person typed as `/name arguments`, as messages that stand as if the model had loaded it. */
export async function invokeSkill<Context>(
  { skillset, catalog, state, fork, modelOutput }: InvokeSkillOptions<Context>,
  text: string,
  before: readonly AnyMessage[],
  signal: AbortSignal | undefined,
): Promise<AiSdkInvocation | null> {
  const command = parseSkillCommand(text);
  if (command === null) return null;
  const result = await skillset.invoke(catalog, text, {
    state: state.of(before),
    at: estimateTokens(before),
    canFork: fork !== undefined,
    signal,
  });
  if (result === null) return null;
  const tool = skillset.toolNames.load;
  const call = { tool, input: { ...command }, place: `user-${before.length}` };
  const toolCallId = hostCallId(call);
  const answer =
    result.fork === undefined || fork === undefined
      ? result.text
      : await forkAnswer(result.fork, fork, { messages: before.filter(isModelMessage), abortSignal: signal, toolCallId });
  state.record(result.events);
  return {
    messages: hostCallMessages({ ...call, output: modelOutput(answer) }),
    chunks: chunksOf(toolCallId, tool, call.input, answer),
    text: answer,
    skill: skillOf(result.events) ?? result.fork?.skill,
    error: result.error,
  };
}

function skillOf(events: readonly SkillEvent[]): string | undefined {
  return events.flatMap((event) => (event.type === 'loaded' ? [event.name] : []))[0];
}

function isModelMessage(message: AnyMessage): message is ModelMessage {
  return !('parts' in message);
}

/** A step of its own, so that the call stays apart from what the model says next when the messages are made of it again. */
function chunksOf(toolCallId: string, toolName: string, input: unknown, output: string): UIMessageChunk[] {
  const toolMetadata = { repertoire: { role: 'load', by: 'user' } };
  return [
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId, toolName, input, dynamic: true, toolMetadata },
    { type: 'tool-output-available', toolCallId, output, dynamic: true, toolMetadata },
    { type: 'finish-step' },
  ];
}
