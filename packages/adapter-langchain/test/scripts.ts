import { ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { ScriptedChatModelCall } from '@repertoire/skills-testkit/langchain';
import type { ScriptedTurn } from '@repertoire/skills-testkit/langchain';

/** One call of a tool in a script. */
export type Call = readonly [toolName: string, input: unknown];

/** A turn that calls tools, or one that says something. */
export function turn(...said: readonly [string] | readonly Call[]): ScriptedTurn {
  const [first] = said;
  if (typeof first === 'string') return { text: first };
  return { toolCalls: (said as readonly Call[]).map(([toolName, input]) => ({ toolName, input })) };
}

/** Texts of the tools' results, oldest first; failed ones with a mark. */
export function toolTexts(messages: readonly BaseMessage[]): string[] {
  return messages.flatMap((message) =>
    ToolMessage.isInstance(message) ? [`${message.status === 'error' ? 'failed: ' : ''}${message.text}`] : [],
  );
}

/** Text of the system message of a call. */
export function systemText({ messages }: ScriptedChatModelCall): string {
  return messages[0]?.type === 'system' ? messages[0].text : '';
}

/** Every tool call is answered, by exactly one result that follows it before the model speaks again: what provider APIs ask for. */
export function unansweredCalls(messages: readonly BaseMessage[]): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) {
      if (!open.delete(message.tool_call_id)) problems.push(`result without a call: ${message.tool_call_id}`);
      continue;
    }
    problems.push(...[...open].map((id) => `call without a result: ${id}`));
    open.clear();
    for (const { id } of (message as { readonly tool_calls?: readonly { readonly id?: string }[] }).tool_calls ?? [])
      open.add(id ?? 'no id');
  }
  return [...problems, ...[...open].map((id) => `call without a result: ${id}`)];
}
