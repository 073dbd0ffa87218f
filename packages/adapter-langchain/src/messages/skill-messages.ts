import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { SkillEvent } from '@repertoire/skills-core';
import { fingerprint, skillInjectionTag } from '@repertoire/skills-core/state';

/** The result of a call of a skill tool, as a message. */
export interface SkillToolAnswer {
  readonly tool: string;
  readonly toolCallId: string;
  readonly text: string;
  readonly events?: readonly SkillEvent[] | undefined;
  readonly failed?: boolean | undefined;
}

/** The message that answers a call. One that carries instructions is marked with the skills whose they are, in `metadata`, which no provider is sent. */
export function skillToolMessage({ tool, toolCallId, text, events = [], failed = false }: SkillToolAnswer): ToolMessage {
  const tag = skillInjectionTag(events);
  return new ToolMessage({
    content: text,
    name: tool,
    tool_call_id: toolCallId,
    status: failed ? 'error' : 'success',
    ...(tag !== null && { metadata: { ...tag } }),
  });
}

/** A call that the host made in the model's place. */
export interface HostCall extends Omit<SkillToolAnswer, 'toolCallId'> {
  readonly input: Record<string, unknown>;
}

/**
 * A call and its result, as the model would have made it. Each pair stands alone, because not every provider accepts two calls in one message; the id has nine
 * letters and digits, which every provider accepts; and the same call at the same place gets the same ids, so that a node that runs twice adds nothing twice.
 */
export function callMessages(call: HostCall, place: string): [AIMessage, ToolMessage] {
  const id = fingerprint(JSON.stringify([place, call.tool, call.input])).slice(-9);
  const answer = skillToolMessage({ ...call, toolCallId: id });
  answer.id = `skill-result-${id}`;
  return [
    new AIMessage({ id: `skill-call-${id}`, content: '', tool_calls: [{ type: 'tool_call', id, name: call.tool, args: call.input }] }),
    answer,
  ];
}

/**
 * Puts pairs where every provider accepts them and where they stay while the conversation grows: before the first message of the model, else at the end. Behind a
 * result, some providers accept nothing but the model's turn.
 */
export function insertCalls(messages: readonly BaseMessage[], pairs: readonly BaseMessage[]): BaseMessage[] {
  const first = messages.findIndex((message) => AIMessage.isInstance(message));
  return first === -1 ? [...messages, ...pairs] : [...messages.slice(0, first), ...pairs, ...messages.slice(first)];
}
