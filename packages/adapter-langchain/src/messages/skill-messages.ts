import { AIMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillEvent } from '@repertoire/skills-core';

/** The result of a skill tool call, for a message. */
export interface SkillToolAnswer {
  readonly tool: string;
  readonly toolCallId: string;
  readonly text: string;
  /** Names of the skills whose instructions the text contains. @default none */
  readonly skills?: readonly string[] | undefined;
  readonly failed?: boolean | undefined;
}

/** Answers a call. `metadata`, which providers do not get, names skills with instructions. */
export function skillToolMessage({ tool, toolCallId, text, skills = [], failed = false }: SkillToolAnswer): ToolMessage {
  return new ToolMessage({
    content: text,
    name: tool,
    tool_call_id: toolCallId,
    status: failed ? 'error' : 'success',
    ...(skills.length > 0 && { metadata: { skillInjection: true, skillIds: [...skills] } }),
  });
}

/** Names of the skills that these events loaded. */
export function skillsOf(events: readonly SkillEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'loaded' ? [event.name] : []));
}

/** A call that the host made on behalf of the model. */
export interface HostCall extends SkillToolAnswer {
  readonly input: Record<string, unknown>;
}

/** A call and its result. In pairs: not every provider accepts two calls in a message. */
export function callMessages(call: HostCall): [AIMessage, ToolMessage] {
  const { toolCallId: id, tool: name, input: args } = call;
  const answer = skillToolMessage(call);
  answer.id = `skill-result-${id}`;
  return [new AIMessage({ id: `skill-call-${id}`, content: '', tool_calls: [{ type: 'tool_call', id, name, args }] }), answer];
}
