import type { UIMessage } from 'ai';
import { env } from 'cloudflare:workers';

/**
 * A conversation as the Worker stores it. Clients send only what a person typed: a transcript from
 * outside could contain a load that never happened, which would open tools.
 */
export interface Conversation {
  readonly id: string;
  readonly messages: UIMessage[];
  /** Etag of the object that was read; `null` for a new conversation. */
  readonly etag: string | null;
}

/** The conversation with this id, or a new one. Returns `null` if the id is unknown. */
export async function readConversation(id: string | undefined): Promise<Conversation | null> {
  if (id === undefined) return { id: crypto.randomUUID(), messages: [], etag: null };
  const object = await env.DESK.get(keyOf(id));
  return object && { id, messages: await object.json(), etag: object.etag };
}

/**
 * Stores the messages. R2 shows them to every later request everywhere. If two answers are written
 * concurrently, the first one is kept.
 */
export async function writeConversation({ id, etag }: Conversation, messages: UIMessage[]): Promise<void> {
  const onlyIf = etag === null ? { etagDoesNotMatch: '*' } : { etagMatches: etag };
  const written = await env.DESK.put(keyOf(id), JSON.stringify(messages), { onlyIf });
  if (written === null) throw new Error(`Conversation ${id} went on meanwhile.`);
}

function keyOf(id: string): string {
  return `conversations/${encodeURIComponent(id)}`;
}
