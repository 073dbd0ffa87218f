import type { SkillEvent } from '@repertoire/skills-core';
import { parseSkillCommand, hostCallId } from '@repertoire/skills-core/adapter';
import type { ModelMessage, ToolSet, UIMessageChunk } from 'ai';
import type { AiSdkInvocation } from '../ai-sdk-skills-options.ts';
import { forkAnswer } from '../fork/run-fork.ts';
import type { SkillsOfCalls } from '../skills-of-calls.ts';
import type { AnyMessage } from '../state/messages.ts';
import { hostCallMessages } from '../step/host-calls.ts';

/** Loads a typed `/name arguments`, as messages that look like the model's. */
export async function invokeSkill<TOOLS extends ToolSet, Context>(
  { parts, state, fork, modelOutput }: SkillsOfCalls<TOOLS, Context>,
  text: string,
  before: readonly AnyMessage[],
  signal: AbortSignal | undefined,
): Promise<AiSdkInvocation | null> {
  const command = parseSkillCommand(text);
  if (command === null) return null;
  const { session, skillset } = parts;
  const tool = skillset.toolNames.load;
  const input = { ...command };
  const toolCallId = hostCallId(`user-${before.length}`, tool, input);
  const context = { state: state.of(before), at: state.lengthOf(before), callId: toolCallId, signal };
  let result = await session.invoke(text, { ...context, canFork: fork !== undefined });
  if (result === null) return null;
  let answer = result.text;
  if (result.fork !== undefined && fork !== undefined) {
    const call = { messages: before.filter(isModelMessage), abortSignal: signal, toolCallId };
    const { fork: skillFork } = result;
    answer = await forkAnswer(skillFork, fork, call, async (change) => {
      result = change((await session.invoke(text, { ...context, callId: `${toolCallId}-here` })) ?? { text: '', events: [] });
      return result;
    });
  }
  await state.record(result.events);
  return {
    messages: hostCallMessages({ toolCallId, tool, input, output: modelOutput(answer) }),
    chunks: chunksOf(toolCallId, tool, input, answer),
    text: answer,
    skill: skillOf(result.events) ?? result.fork?.skill,
    error: result.error,
    question: result.question,
  };
}

function skillOf(events: readonly SkillEvent[]): string | undefined {
  return events.flatMap((event) => (event.type === 'loaded' ? [event.name] : []))[0];
}

function isModelMessage(message: AnyMessage): message is ModelMessage {
  return !('parts' in message);
}

/** Its own step, so that rebuilt messages keep the call apart from what the model says. */
function chunksOf(toolCallId: string, toolName: string, input: unknown, output: string): UIMessageChunk[] {
  const toolMetadata = { repertoire: { role: 'load', by: 'user' } };
  return [
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId, toolName, input, dynamic: true, toolMetadata },
    { type: 'tool-output-available', toolCallId, output, dynamic: true, toolMetadata },
    { type: 'finish-step' },
  ];
}
