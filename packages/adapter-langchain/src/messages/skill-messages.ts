import { AIMessage, ToolMessage } from '@langchain/core/messages';
import type { SkillEvent } from '@repertoire/skills-core';

/** The result of a call of a skill tool, as a message. */
export interface SkillToolAnswer {
  readonly tool: string;
  readonly toolCallId: string;
  readonly text: string;
  /** Names of the skills whose instructions the text holds. @default none */
  readonly skills?: readonly string[] | undefined;
  readonly failed?: boolean | undefined;
}

/** The message that answers a call. One that carries instructions is marked with the names of its skills, in `metadata`, which no provider is sent. */
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

/** A call that the host made in the model's place. */
export interface HostCall extends SkillToolAnswer {
  readonly input: Record<string, unknown>;
}

/** A call and its result, as the model would have made it. Each pair stands alone, because not every provider accepts two calls in one message. */
export function callMessages(call: HostCall): [AIMessage, ToolMessage] {
  const { toolCallId: id, tool: name, input: args } = call;
  const answer = skillToolMessage(call);
  answer.id = `skill-result-${id}`;
  return [new AIMessage({ id: `skill-call-${id}`, content: '', tool_calls: [{ type: 'tool_call', id, name, args }] }), answer];
}
