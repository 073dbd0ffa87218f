import type { SkillToolContext } from './skill-tool.ts';

/**
 * Names a tool call among all calls of a host, so that a call that is repeated has the same name:
 * `<workflow id>:<call>` in a durable run, else `<conversation>:<run>:<call>`. `undefined` where
 * neither a durable run nor the conversation is known: two customers could have calls of one id.
 */
export function callKey(conversation: string | undefined, { engine, run, callId }: SkillToolContext): string | undefined {
  if (callId === undefined) return undefined;
  if (engine !== undefined) return `${engine.workflowId}:${callId}`;
  if (conversation === undefined) return undefined;
  return keyOf(run === undefined ? [conversation, callId] : [conversation, run, callId]);
}

/** Joins names by `:`, which is written as `%3A` inside of one. */
export function keyOf(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[%:]/g, encodeURIComponent)).join(':');
}
